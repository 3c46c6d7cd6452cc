/** Changes the language of a renderer page through its settings. */
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    /** English is the pseudo-translation by pseudo-locale.ts. */
    isPseudo?: boolean;
  }
}

/** Resolves once the page uses it. */
export const speak = (page: Page, language: 'en' | 'ru' | 'pseudo'): Promise<void> =>
  page.evaluate(async (chosen) => {
    const { double } = window;
    const set = async (spoken: 'en' | 'ru'): Promise<void> => {
      double.set({ settings: { ...double.state().settings, language: spoken } });
      const root = document.documentElement;
      if (root.lang === spoken) return;
      await new Promise<void>((resolve) => {
        const watch = new MutationObserver(() => {
          if (root.lang !== spoken) return;
          watch.disconnect();
          resolve();
        });
        watch.observe(root, { attributeFilter: ['lang'] });
      });
    };
    const isPseudo = chosen === 'pseudo';
    if (isPseudo !== (window.isPseudo ?? false)) {
      window.isPseudo = isPseudo;
      // The window loads a catalogue again when the language changes.
      await set('ru');
    }
    await set(chosen === 'ru' ? 'ru' : 'en');
  }, language);
