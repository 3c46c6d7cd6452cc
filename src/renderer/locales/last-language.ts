/**
 * Remembers the last language in local storage, so that the next start can load its catalogue before the settings
 * arrive.
 */

import { LANGUAGES } from '../../common/languages.ts';
import { chooseLanguage } from './choose-language.ts';
import type { Language } from './format.ts';

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
