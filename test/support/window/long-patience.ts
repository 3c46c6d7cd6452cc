/** Gives a page time on a busy machine, where it would give up for good after some seconds. */
import type { Page } from 'playwright-core';

/** The page's timers of this length or more never end. */
const LONG_MS = 5_000;

/** No long timer that the page starts during `run` ever ends; short ones are as usual. */
export const withLongPatience = async <T>(page: Page, run: () => Promise<T>): Promise<T> => {
  const usual = await page.evaluateHandle((longMs) => {
    const { setTimeout: start } = window;
    // The longest that a timer can be.
    const longer = (ms = 0): number => (ms < longMs ? ms : 2 ** 31 - 1);
    window.setTimeout = ((act: () => void, ms?: number, ...rest: unknown[]) =>
      start(act, longer(ms), ...rest)) as typeof setTimeout;
    return { start };
  }, LONG_MS);
  try {
    return await run();
  } finally {
    await usual.evaluate(({ start }) => {
      window.setTimeout = start;
    });
  }
};
