/**
 * Window titles of the overlay, the page with the screenshot on which the user selects an area. The browser host finds
 * the window of that page by its title.
 */
export const OVERLAY_TITLES = {
  en: {
    picture: 'Choose what to capture',
    scrolling: 'Choose what to scroll and capture',
    recording: 'Choose what to record',
    text: 'Choose the text to copy',
  },
  ru: {
    picture: 'Выберите, что снять',
    scrolling: 'Выберите, что снять с прокруткой',
    recording: 'Выберите, что записать',
    text: 'Выберите текст',
  },
} as const;
