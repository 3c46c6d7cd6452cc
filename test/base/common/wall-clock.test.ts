/** A wall clock that is set back delays nothing for longer than its own wait. */
import { expect, it } from 'vitest';
import { ageMs, isBeyond, isDue } from '../../../src/base/common/wall-clock.ts';

const NOW = 1_000_000;
const MOST = 10_000;

it.each([
  ['an instant that has come is due', NOW - 1, true],
  ['an instant is due when it comes', NOW, true],
  ['an instant ahead is waited for', NOW + MOST, false],
  ['an instant that was never so far ahead is due: the clock was set back', NOW + MOST + 1, true],
])('%s', (_, at, due) => {
  expect(isDue(at, NOW, MOST)).toBe(due);
  expect(isBeyond(at, NOW, MOST)).toBe(at > NOW + MOST);
});

it('an instant is the older the farther it is from now, also ahead of it', () => {
  expect([ageMs(NOW - 5, NOW), ageMs(NOW, NOW), ageMs(NOW + 5, NOW)]).toEqual([5, 0, 5]);
});
