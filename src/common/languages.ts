/** What the window, the terminal and the share pages speak. */
export const LANGUAGES = ['en', 'ru'] as const;
