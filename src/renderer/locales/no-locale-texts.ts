/** The only words that are in no catalogue: for a page that has none, in every language at once. */

export const SPEECHLESS = {
  title: 'Linkshot',
  told: [
    { language: 'en', text: 'This page cannot be shown. Nothing is lost: your queue is kept.', again: 'Load again' },
    {
      language: 'ru',
      text: 'Не удалось показать эту страницу. Ничего не пропало: очередь сохранена.',
      again: 'Загрузить снова',
    },
  ],
} as const;
