/** A clock for tests of patience: whoever sleeps on it wakes at once, that much later. */
import type { Clock } from '../../src/engine/ports.ts';

export const hurriedClock = (): Pick<Clock, 'monotonic' | 'sleep'> => {
  let now = 0;
  return {
    monotonic: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
};
