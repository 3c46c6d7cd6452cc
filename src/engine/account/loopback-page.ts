/** The page that the browser shows after an approval: the outcome and what to do next. */

export type Ending = 'connected' | 'refused' | 'failed';

const TEXTS = {
  en: {
    connected: ['Linkshot is connected', 'You can close this page and go back to Linkshot.'],
    refused: ['Linkshot was not connected', 'You refused the connection. You can close this page.'],
    failed: ['Linkshot could not be connected', 'Go back to Linkshot: it says why. You can close this page.'],
  },
  ru: {
    connected: ['Linkshot подключён', 'Эту страницу можно закрыть и вернуться в Linkshot.'],
    refused: ['Linkshot не подключён', 'Вы отклонили подключение. Эту страницу можно закрыть.'],
    failed: ['Не удалось подключить Linkshot', 'Вернитесь в Linkshot: там сказано почему. Эту страницу можно закрыть.'],
  },
} as const;

const STYLE =
  'html{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}' +
  'body{max-width:32rem;margin:20vh auto;padding:0 1.5rem}h1{font-size:1.375rem;margin:0 0 .5rem}p{margin:0}';

/** `acceptLanguage`: the request header; its first language is used. */
export const endingPage = (ending: Ending, acceptLanguage: string): string => {
  const language = /^\s*ru\b/i.test(acceptLanguage) ? 'ru' : 'en';
  const [title, text] = TEXTS[language][ending];
  return (
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${title}</title>` +
    `<meta name="viewport" content="width=device-width"><style>${STYLE}</style><h1>${title}</h1><p>${text}</p></html>`
  );
};
