/** Lets the time pass by which undici ends a request that waits, in all requests of this process. */
import { createRequire } from 'node:module';

const timers = createRequire(import.meta.url)('undici/lib/util/timers.js') as { readonly tick: (ms: number) => void };

export const passUndiciTime = (ms: number): void => {
  // What was begun since the last tick counts from this one on.
  timers.tick(1_000);
  timers.tick(ms);
};
