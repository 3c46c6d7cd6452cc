/** Waits until a page of React listens to what it has drawn. */
import type { Page } from 'playwright-core';

/** A step of React's work may end in the middle of it, and goes on as a message behind those that wait. */
const STEPS = 3;

/**
 * React draws first, and a message later it adds the listeners and moves the focus. A key that is pressed at once, or a
 * focus that is read at once, may come between the two.
 */
export const untilListening = (page: Pick<Page, 'evaluate'>): Promise<void> =>
  page.evaluate(async (steps) => {
    // Comes with the next frame, also where a test has stopped the time of the page.
    await new Promise<void>((drawn) => {
      const observer = new ResizeObserver(() => {
        observer.disconnect();
        drawn();
      });
      observer.observe(document.documentElement);
    });
    const { port1, port2 } = new MessageChannel();
    for (let step = 0; step < steps; step += 1)
      await new Promise((heard) => {
        port1.onmessage = heard;
        port2.postMessage(null);
      });
    port1.close();
  }, STEPS);
