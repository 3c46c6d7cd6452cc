/** Waits for an element of a page. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Target } from './tab.ts';

const FOUND_MS = 60_000;
const AGAIN_MS = 100;

/** Rejects with what was looked for when it does not appear. A page that is being replaced counts as not found yet. */
export const untilFound = async <T>(target: Target, look: () => Promise<T | null>, limitMs = FOUND_MS): Promise<T> => {
  const end = performance.now() + limitMs;
  let error: unknown = null;
  do {
    try {
      const found = await look();
      if (found !== null) return found;
      error = null;
    } catch (thrown) {
      error = thrown;
    }
    await delay(AGAIN_MS);
  } while (performance.now() < end);
  throw new Error(`The page never showed ${JSON.stringify(target)}.`, { cause: error });
};
