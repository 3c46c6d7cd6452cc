/**
 * Locale store. Loads only the catalogue in use, and keeps the current one until the next is loaded or if it cannot be
 * loaded.
 */

import { createStore } from 'zustand/vanilla';
import { LANGUAGES } from '../../common/languages.ts';
import type { LoadCatalogue } from '../locales/catalogues.ts';
import type { Messages } from '../locales/en.ts';
import type { Language } from '../locales/format.ts';

export interface I18nState {
  /** Null until the first catalogue is loaded. */
  readonly spoken: { readonly language: Language; readonly words: Messages } | null;
  /** The requested language, if it could not be loaded. */
  readonly missing: Language | null;
  /** All loaded catalogues. */
  readonly known: Partial<Readonly<Record<Language, Messages>>>;
}

interface Deps {
  readonly load: LoadCatalogue;
  /** The page shows another language than requested. */
  readonly onMissing: () => void;
  /** The requested language is shown. */
  readonly onSpoken: () => void;
}

export const createI18nStore = ({ load, onMissing, onSpoken }: Deps) => {
  const store = createStore<I18nState>(() => ({ spoken: null, missing: null, known: {} }));
  let wanted: Language | null = null;

  /** Resolves to null if it cannot be loaded. */
  const fetchWords = async (language: Language): Promise<Messages | null> => {
    const before = store.getState().known[language];
    if (before) return before;
    const words = await load(language).catch(() => null);
    if (words) store.setState(({ known }) => ({ known: { ...known, [language]: words } }));
    return words;
  };

  const speak = async (language: Language): Promise<void> => {
    wanted = language;
    const words = await fetchWords(language);
    // Another language was requested meanwhile.
    if (wanted !== language) return;
    if (words) {
      store.setState({ spoken: { language, words }, missing: null });
      return onSpoken();
    }
    if (store.getState().spoken === null) {
      for (const other of LANGUAGES) {
        const others = other === language ? null : await fetchWords(other);
        if (others && wanted === language) store.setState({ spoken: { language: other, words: others } });
      }
    }
    if (wanted !== language) return;
    store.setState({ missing: language });
    if (store.getState().spoken !== null) onMissing();
  };

  return {
    store,
    /** Switches to a language once its catalogue is loaded. */
    speak,
    /** Retries loading the missing language. */
    tryAgain: async (): Promise<void> => {
      const { missing } = store.getState();
      if (missing !== null) await speak(missing);
    },
    /** Loads every language, for a search that matches all of them. */
    learnAll: async (): Promise<void> => {
      await Promise.all(LANGUAGES.map(fetchWords));
    },
  };
};

export type I18nStore = ReturnType<typeof createI18nStore>;
