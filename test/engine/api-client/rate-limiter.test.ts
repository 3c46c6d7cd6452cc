/** The rate limiter reports how long its requests must wait. */
import { expect, it } from 'vitest';
import { createRateLimiter } from '../../../src/engine/api-client/rate-limiter.ts';
import { systemRandom } from '../../../src/engine/node-ports.ts';
import { sleepingClock } from '../../support/sleeping-clock.ts';

const never = new AbortController().signal;
const scene = () => {
  const clock = sleepingClock();
  const reported: (number | null)[] = [];
  const gate = createRateLimiter({ clock, random: systemRandom, onRest: () => reported.push(gate.restsUntil()) });
  return { clock, reported, gate };
};

const useUp = async ({ gate }: ReturnType<typeof scene>, resetMs: number): Promise<void> => {
  await gate.enter('general', never);
  gate.done('general', { limit: 60, remaining: 0, resetMs });
};

it('when the budget is used up, until it is there again', async () => {
  const one = scene();
  const { clock, reported, gate } = one;
  await useUp(one, 40_000);
  expect(gate.restsUntil()).toBeNull();
  const waiting = [gate.enter('general', never), gate.enter('general', never)];
  await clock.advance(1_000);
  expect([gate.restsUntil(), reported]).toEqual([40_000, [40_000]]);
  await clock.advance(60_000);
  await Promise.all(waiting);
  expect([gate.restsUntil(), reported]).toEqual([null, [40_000, null]]);
});

it('when the service itself asked to wait, and ends when no request is waiting', async () => {
  const { clock, reported, gate } = scene();
  gate.pause(20_000);
  const given = new AbortController();
  const waiting = gate.enter('parts', given.signal);
  expect(gate.restsUntil()).toBe(20_000);
  given.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
  expect([gate.restsUntil(), reported]).toEqual([null, [20_000, null]]);
  await clock.advance(0);
});

it('but not for an imperceptible moment', async () => {
  const one = scene();
  await useUp(one, 2_000);
  const waiting = one.gate.enter('general', never);
  await one.clock.advance(5_000);
  await waiting;
  expect(one.reported).toEqual([]);
});

it('and ignores a reply that arrives after a newer one, however late it is', async () => {
  const { clock, gate } = scene();
  await gate.enter('parts', never);
  gate.done('parts', { limit: 6, remaining: 2, resetMs: 50_000 });
  const late = gate.enter('parts', never);
  await Promise.all([late, gate.enter('parts', never)]);
  gate.done('parts', { limit: 6, remaining: 0, resetMs: 50_000 });
  await clock.advance(10_000);
  gate.done('parts', { limit: 6, remaining: 1, resetMs: 50_000 });
  const next = gate.enter('parts', never);
  // The end of the window is where the answers in time have put it.
  expect(gate.restsUntil()).toBe(50_000);
  await clock.advance(60_000);
  await next;
});
