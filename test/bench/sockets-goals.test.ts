import { expect, it } from 'vitest';
import { DRAIN_SECONDS, GROWN_GOAL_MIB, missedGoals } from './sockets-goals.ts';

const SERVED = { what: '600 silent connections', served: 50, of: 50 };
const END = { grownMiB: GROWN_GOAL_MIB - 1, stopMs: DRAIN_SECONDS * 1_000, code: 0 };

it('a run of bench:sockets that meets its goals is silent about them', () => {
  expect(missedGoals([SERVED, SERVED], END)).toEqual([]);
});

it.each([
  ['pages that were not served', [SERVED, { ...SERVED, served: 48 }], END, '600 silent connections: 2 of 50 pages'],
  ['memory', [SERVED], { ...END, grownMiB: GROWN_GOAL_MIB }, 'The memory grew by 100 MiB.'],
  ['a stop above drainSeconds', [SERVED], { ...END, stopMs: DRAIN_SECONDS * 1_000 + 100 }, 'The stop took 25.1 s.'],
  ['another end than its own', [SERVED], { ...END, code: null }, 'The server ended with code null.'],
])('bench:sockets fails for %s', (_, attacked, end, sentence) => {
  expect(missedGoals(attacked, end)).toEqual([expect.stringContaining(sentence)]);
});
