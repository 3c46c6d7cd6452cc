/**
 * Sees texts that a page shows for a moment only. The page itself looks, at each of its changes: whoever asks it from
 * outside may come when the text has gone again.
 */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Looks from now on; call the result, and it resolves once an element that matches has shown exactly this text. Hidden
 * elements do not count.
 */
export const watchForText = async (page: Page, selector: string, text: string): Promise<() => Promise<void>> => {
  const watch = await page.evaluateHandle(
    ([matching, wanted]) => {
      const seen = { isShown: false, last: '' };
      const look = (): void => {
        for (const element of document.querySelectorAll(matching)) {
          if (!element.checkVisibility({ visibilityProperty: true })) continue;
          seen.last = element.textContent?.trim() ?? '';
          seen.isShown ||= seen.last === wanted;
        }
      };
      const changes = { childList: true, characterData: true, attributes: true, subtree: true };
      new MutationObserver(look).observe(document, changes);
      return seen;
    },
    [selector, text] as const,
  );
  return async () => {
    const shown = () => watch.evaluate(({ isShown, last }) => (isShown ? 'shown' : `not shown, but “${last}”`));
    await expect.poll(shown, { message: text }).toBe('shown');
    await watch.dispose();
  };
};
