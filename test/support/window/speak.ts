/** Changes the language of a page of the renderer, as a person does in its settings. */
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    /** English is the language that pseudo-locale.ts makes of it. */
    isPseudo?: boolean;
  }
}

export const speak = (page: Page, language: 'en' | 'ru' | 'pseudo'): Promise<void> =>
  page.evaluate(async (chosen) => {
    const { double } = window;
    const set = (spoken: 'en' | 'ru'): void =>
      double.set({ settings: { ...double.state().settings, language: spoken } });
    const isPseudo = chosen === 'pseudo';
    if (isPseudo !== (window.isPseudo ?? false)) {
      window.isPseudo = isPseudo;
      // The window reads a catalogue anew when the language is another one.
      set('ru');
      await new Promise((resolve) => setTimeout(resolve));
    }
    set(chosen === 'ru' ? 'ru' : 'en');
  }, language);
