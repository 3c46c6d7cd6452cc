/**
 * The language that the page speaks. Promises: only what is spoken is fetched; the page goes on with the words that it has
 * until the others are there, and for as long as they cannot be fetched.
 */

import { createStore } from 'zustand/vanilla';
import { LANGUAGES } from '../../common/languages.ts';
import type { LoadCatalogue } from '../locales/catalogues.ts';
import type { Messages } from '../locales/en.ts';
import type { Language } from '../locales/format.ts';

export interface I18nState {
  /** Null until the first catalogue is there. */
  readonly spoken: { readonly language: Language; readonly words: Messages } | null;
  /** What is wanted and could not be fetched. */
  readonly missing: Language | null;
  /** All that have been fetched. */
  readonly known: Partial<Readonly<Record<Language, Messages>>>;
}

interface Deps {
  readonly load: LoadCatalogue;
  /** The page speaks another language than it should. */
  readonly onMissing: () => void;
  /** It speaks the one that was wanted last. */
  readonly onSpoken: () => void;
}

export const createI18nStore = ({ load, onMissing, onSpoken }: Deps) => {
  const store = createStore<I18nState>(() => ({ spoken: null, missing: null, known: {} }));
  let wanted: Language | null = null;

  /** Answers null where it cannot be fetched. */
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
    // Another choice was made meanwhile.
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
    /** Speaks it as soon as its words are there. */
    speak,
    /** Tries again to fetch what is missing. */
    tryAgain: async (): Promise<void> => {
      const { missing } = store.getState();
      if (missing !== null) await speak(missing);
    },
    /** For a search that understands every language, whichever is spoken. */
    learnAll: async (): Promise<void> => {
      await Promise.all(LANGUAGES.map(fetchWords));
    },
  };
};

export type I18nStore = ReturnType<typeof createI18nStore>;
