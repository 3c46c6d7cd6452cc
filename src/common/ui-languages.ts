/** The languages of the app's user interface and of the server's pages. The command line is in English only. */
export const LANGUAGES = ['en', 'ru'] as const;
