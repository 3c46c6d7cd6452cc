/** The languages of the window, the terminal and the share pages. */
export const LANGUAGES = ['en', 'ru'] as const;
