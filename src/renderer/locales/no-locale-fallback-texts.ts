/** The texts of the page that appears when the app fails before its language is loaded, in every language at once. */

export const NO_LOCALE_TEXTS = {
  title: 'Linkshot',
  messages: [
    { language: 'en', text: 'This page can’t be shown. Nothing is lost: your queue is saved.', again: 'Reload' },
    {
      language: 'ru',
      text: 'Не удалось показать эту страницу. Ничего не пропало: очередь сохранена.',
      again: 'Перезагрузить',
    },
  ],
} as const;
