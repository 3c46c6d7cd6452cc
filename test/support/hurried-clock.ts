/** A clock for tests of timeouts: a sleep returns immediately and advances the clock. */
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
