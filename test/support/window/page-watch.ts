/** Lets a page itself note what it shows for a moment only, at each of its changes. */
import type { JSHandle, Page } from 'playwright-core';

export interface PageWatch {
  readonly isShown: boolean;
  /** The text of the last visible element that matched. */
  readonly last: string;
}

/** Notes from now on whether a visible element that matches has shown this text. */
export const watchPage = (
  page: Pick<Page, 'evaluateHandle'>,
  selector: string,
  text: string,
  how: 'whole' | 'part',
): Promise<JSHandle<PageWatch>> =>
  page.evaluateHandle(
    ([matching, wanted, isWhole]) => {
      const seen = { isShown: false, last: '' };
      const look = (): void => {
        for (const element of document.querySelectorAll(matching)) {
          if (!element.checkVisibility({ visibilityProperty: true })) continue;
          seen.last = element.textContent?.trim() ?? '';
          seen.isShown ||= isWhole ? seen.last === wanted : seen.last.includes(wanted);
        }
      };
      const changes = { childList: true, characterData: true, attributes: true, subtree: true };
      new MutationObserver(look).observe(document, changes);
      return seen;
    },
    [selector, text, how === 'whole'] as const,
  );
