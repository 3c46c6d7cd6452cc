/**
 * Records what a screen reader would announce: every text that enters a live region, from the page's first moment on,
 * in order; a repeated text counts again.
 */
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    heard: string[];
  }
}

/** Reloads the page and starts to record. */
export const listenFromStart = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    window.heard = [];
    const LIVE = '[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]';
    const hear = (text: string | null): void => {
      const words = text?.trim() ?? '';
      if (words !== '') window.heard.push(words);
    };
    const judge = ({ type, target, addedNodes }: MutationRecord): void => {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(LIVE);
      if (type === 'characterData') {
        if (region) hear(region.textContent);
        return;
      }
      for (const node of addedNodes) {
        if (region) hear(node.textContent);
        else if (node instanceof Element)
          for (const inner of [node, ...node.querySelectorAll('*')]) if (inner.matches(LIVE)) hear(inner.textContent);
      }
    };
    new MutationObserver((records) => records.forEach(judge)).observe(document, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  await page.reload();
};

/** The announcements since the last call. */
export const heardSince = (page: Page): Promise<string[]> => page.evaluate(() => window.heard.splice(0));
