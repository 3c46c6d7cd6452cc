/** The language that was spoken here last, so that the next start need not wait for the settings to begin fetching its words. */

import { LANGUAGES } from '../../common/languages.ts';
import { chooseLanguage } from './choose-language.ts';
import type { Language } from './format.ts';

const KEY = 'linkshot.language';

/** A guess until the settings are there: a browser may forget, or forbid to remember. */
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
    // The next start guesses again.
  }
};
