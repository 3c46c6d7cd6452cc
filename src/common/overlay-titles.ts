/** The titles of the overlay, the page that shows the frozen screen. The browser host finds its window by them. */
export const OVERLAY_TITLES = {
  en: { picture: 'Choose what to capture', recording: 'Choose what to record', text: 'Choose the text to copy' },
  ru: { picture: 'Выберите, что снять', recording: 'Выберите, что записать', text: 'Выберите текст' },
} as const;
