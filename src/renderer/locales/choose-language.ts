/**
 * Chooses the language of a page by the user's setting and the browser's languages, and remembers it for the next
 * start.
 */
import { LANGUAGES } from '../../common/ui-languages.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { Language } from './format.ts';

const languageOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';

/**
 * `system` follows the browser's languages, with English as the fallback. The tag keeps the browser's region for that
 * language.
 */
export const chooseLanguage = (
  setting: Settings['language'],
  preferred: readonly string[],
): { readonly language: Language; readonly tag: string } => {
  const spoken = preferred.flatMap((tag) => LANGUAGES.find((known) => known === languageOf(tag)) ?? [])[0];
  const language = setting === 'system' ? (spoken ?? 'en') : setting;
  return { language, tag: preferred.find((tag) => languageOf(tag) === language) ?? language };
};

// Remembers the last language in local storage, so that the next start can load its catalogue before the settings
// arrive.

const KEY = 'linkshot.language';

/** A guess until the settings are loaded; local storage may be empty or blocked. */
export const likelyLanguage = ({ localStorage, navigator }: Window): Language => {
  const { language: preferred } = chooseLanguage('system', navigator.languages);
  try {
    return LANGUAGES.find((known) => known === localStorage.getItem(KEY)) ?? preferred;
  } catch {
    return preferred;
  }
};

export const rememberLanguage = (window: Window, language: Language): void => {
  try {
    window.localStorage.setItem(KEY, language);
  } catch {
    // The next start guesses by the browser's languages.
  }
};
