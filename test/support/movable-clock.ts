/** A clock that moves only when a test moves it. */
import type { Clock } from '../../src/server/clock-and-random.ts';

export interface MovableClock extends Clock {
  advance(ms: number): void;
}

export const movableClock = (start = Date.UTC(2026, 10, 20, 12)): MovableClock => {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
};
