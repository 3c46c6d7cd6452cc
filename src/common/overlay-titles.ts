/** The titles of the page while it shows the frozen screen. The browser host finds its window by them. */
export const OVERLAY_TITLES = {
  en: { picture: 'Choose what to capture', recording: 'Choose what to record' },
  ru: { picture: 'Выберите, что снять', recording: 'Выберите, что записать' },
} as const;
