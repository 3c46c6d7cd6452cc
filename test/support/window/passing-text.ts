/**
 * Sees texts that a page shows for a moment only. The page itself looks: whoever asks it from outside may come when the
 * text has gone again.
 */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { watchPage } from './page-watch.ts';

/**
 * Looks from now on; call the result, and it resolves once an element that matches has shown exactly this text. Hidden
 * elements do not count.
 */
export const watchForText = async (page: Page, selector: string, text: string): Promise<() => Promise<void>> => {
  const watch = await watchPage(page, selector, text, 'whole');
  return async () => {
    const shown = () => watch.evaluate(({ isShown, last }) => (isShown ? 'shown' : `not shown, but “${last}”`));
    await expect.poll(shown, { message: text }).toBe('shown');
    await watch.dispose();
  };
};
