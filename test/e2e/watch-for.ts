/** Sees what a page shows for a while only: whoever asks it from outside may come when that has gone again. */
import { expect, type Page } from '@playwright/test';

/** Looks from now on; call the result to wait until a visible element has matched, with this text in it. */
export const watchFor = async (page: Page, selector: string, text = ''): Promise<() => Promise<void>> => {
  const watch = await page.evaluateHandle(
    ([matching, wanted]) => {
      const seen = { isShown: false };
      const look = (): void => {
        for (const element of document.querySelectorAll(matching))
          seen.isShown ||=
            element.checkVisibility({ visibilityProperty: true }) && (element.textContent ?? '').includes(wanted);
      };
      const changes = { childList: true, characterData: true, attributes: true, subtree: true };
      new MutationObserver(look).observe(document, changes);
      return seen;
    },
    [selector, text] as const,
  );
  return async () => {
    const isShown = () => watch.evaluate((seen) => seen.isShown);
    await expect.poll(isShown, { message: `“${text}” in ${selector}` }).toBe(true);
    await watch.dispose();
  };
};
