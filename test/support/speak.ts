/** Changes the language of a page of the renderer, as a person does in its settings. */
import type { Page } from 'playwright-core';

export const speak = (page: Page, language: 'en' | 'ru'): Promise<void> =>
  page.evaluate((chosen) => {
    const { settings } = window.double.state();
    window.double.set({ settings: { ...settings, language: chosen } });
  }, language);
