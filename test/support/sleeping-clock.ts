/** The app's clock for tests: a sleep ends when the test has advanced the clock far enough. */
import type { Clock } from '../../src/engine/ports.ts';

export interface SleepingClock extends Clock {
  /** Wakes due sleepers in order; resolves when they have acted. */
  advance(ms: number): Promise<void>;
}

export const sleepingClock = (): SleepingClock => {
  let now = 0;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => now,
    monotonic: () => now,
    sleep: (ms, signal) =>
      new Promise((wake, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const sleeper = { at: now + ms, wake };
        sleepers.add(sleeper);
        signal.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    async advance(ms) {
      now += ms;
      const due = [...sleepers].filter(({ at }) => at <= now).sort((one, other) => one.at - other.at);
      for (const sleeper of due) {
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await new Promise((done) => setImmediate(done));
    },
  };
};
