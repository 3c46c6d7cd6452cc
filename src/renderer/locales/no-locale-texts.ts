/** Texts for a page without a catalogue, in every language at the same time. */

export const NO_LOCALE_TEXTS = {
  title: 'Linkshot',
  messages: [
    { language: 'en', text: 'This page cannot be shown. Nothing is lost: your queue is kept.', again: 'Load again' },
    {
      language: 'ru',
      text: 'Не удалось показать эту страницу. Ничего не пропало: очередь сохранена.',
      again: 'Загрузить снова',
    },
  ],
} as const;
