/**
 * Store of the window's language and its texts; it can also load all languages, for searches. The current texts stay
 * until another language is loaded, and stay if loading it fails. If the first language cannot be loaded, another one
 * is shown.
 */

import { createStore } from 'zustand/vanilla';
import { LANGUAGES } from '../../common/ui-languages.ts';
import type { Messages } from '../locales/en.ts';
import type { Language } from '../locales/format.ts';
import type { LoadCatalogue } from '../locales/load-catalogue.ts';

export interface I18nState {
  /** Null until the first catalogue is loaded. */
  readonly current: { readonly language: Language; readonly messages: Messages } | null;
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
  readonly onLoaded: () => void;
}

export const createI18nStore = ({ load, onMissing, onLoaded }: Deps) => {
  const store = createStore<I18nState>(() => ({ current: null, missing: null, known: {} }));
  let wanted: Language | null = null;

  /** Resolves to null if it cannot be loaded. */
  const fetchCatalogue = async (language: Language): Promise<Messages | null> => {
    const before = store.getState().known[language];
    if (before) return before;
    const words = await load(language).catch(() => null);
    if (words) store.setState(({ known }) => ({ known: { ...known, [language]: words } }));
    return words;
  };

  const setLanguage = async (language: Language): Promise<void> => {
    wanted = language;
    const messages = await fetchCatalogue(language);
    // Another language was requested meanwhile.
    if (wanted !== language) return;
    if (messages) {
      store.setState({ current: { language, messages }, missing: null });
      return onLoaded();
    }
    if (store.getState().current === null) {
      for (const other of LANGUAGES) {
        const others = other === language ? null : await fetchCatalogue(other);
        if (others && wanted === language) store.setState({ current: { language: other, messages: others } });
      }
    }
    if (wanted !== language) return;
    store.setState({ missing: language });
    if (store.getState().current !== null) onMissing();
  };

  return {
    store,
    /** Switches to a language once its catalogue is loaded. */
    setLanguage,
    /** Retries loading the missing language. */
    tryAgain: async (): Promise<void> => {
      const { missing } = store.getState();
      if (missing !== null) await setLanguage(missing);
    },
    /** Loads every language, for a search that matches all of them. */
    loadAll: async (): Promise<void> => {
      await Promise.all(LANGUAGES.map(fetchCatalogue));
    },
  };
};

export type I18nStore = ReturnType<typeof createI18nStore>;
