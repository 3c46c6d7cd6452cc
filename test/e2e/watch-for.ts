/** Sees what a page shows for a while only: whoever asks it from outside may come when that has gone again. */
import { expect, type Page } from '@playwright/test';
import { watchPage } from '../support/window/page-watch.ts';

/** Looks from now on; call the result to wait until a visible element has matched, with this text in it. */
export const watchFor = async (page: Page, selector: string, text = ''): Promise<() => Promise<void>> => {
  const watch = await watchPage(page, selector, text, 'part');
  return async () => {
    const isShown = () => watch.evaluate((seen) => seen.isShown);
    await expect.poll(isShown, { message: `“${text}” in ${selector}` }).toBe(true);
    await watch.dispose();
  };
};
