/** Queue progress is monotonic until everything is sent, counts everything that is sent, and ends at 1. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, failure } from '../../src/api/errors.ts';
import type { Queue } from '../../src/ipc/protocol/app-state.ts';
import type { ItemProgress, QueueItem } from '../../src/ipc/protocol/queue-item.ts';
import { createQueueProgress, type QueueProgress } from '../../src/ipc/protocol/queue-progress-tracker.ts';
import { itemId, MIB, makeItem, NOON } from '../support/window/app-state.ts';

const stuck = (code: ErrorCode) => ({ failure: failure(code, ''), since: NOON, retryAt: null });
const queueOf = (items: readonly QueueItem[], live: Queue['live'] = {}): Queue => ({
  items: [...items],
  live,
  paused: false,
});
const sent = (number: number, megabytes: number, of = 10): QueueItem =>
  makeItem('started', number, { size: of * MIB, confirmedBytes: megabytes * MIB });
const linked = (number: number, of = 10): QueueItem => makeItem('linked', number, { size: of * MIB });
const percent = (progress: QueueProgress | null): number | null =>
  progress && Math.round(progress.fraction * 1000) / 10;

it('sums up running items, and no item that waits for the user', () => {
  const live: ItemProgress = { activity: 'sending', doneBytes: 5 * MIB, bytesPerSecond: MIB, secondsLeft: 5 };
  const items = [
    makeItem('started', 1, { size: 10 * MIB }),
    makeItem('queued', 2, { size: 10 * MIB }),
    makeItem('queued', 3, { size: 90 * MIB, intent: 'pause' }),
    makeItem('queued', 4, { size: 90 * MIB, error: stuck('DISK_FULL') }),
    makeItem('linked', 5),
  ];
  const progress = createQueueProgress()(queueOf(items, { [itemId(1)]: live }));
  expect(progress).toMatchObject({ fraction: 0.25, left: 2, leftBytes: 15 * MIB });
  expect(createQueueProgress()(queueOf([]))).toBeNull();
});

it('counts pending files too, so that many files sent one by one are one task', () => {
  const follow = createQueueProgress();
  const ten = 10 * MIB;
  expect(follow(queueOf([]), [ten, ten, ten, ten])).toMatchObject({ fraction: 0, left: 4, leftBytes: 4 * ten });
  follow(queueOf([sent(1, 0)]), [ten, ten, ten]);
  const first = follow(queueOf([linked(1)]), [ten, ten, ten]);
  expect([percent(first), first?.left]).toEqual([25, 3]);
  follow(queueOf([linked(1), sent(2, 0)]), [ten, ten]);
  expect(percent(follow(queueOf([linked(1), sent(2, 10)]), [ten, ten]))).toBe(50);
  // Too quick to be seen in transit.
  expect(percent(follow(queueOf([linked(1), sent(2, 10), linked(3)]), [ten]))).toBe(75);
  expect(follow(queueOf([linked(1), linked(2), linked(3), linked(4)]), [])).toBeNull();
});

describe('while others go on', () => {
  it('is slowed down by added items and never decreases', () => {
    const follow = createQueueProgress();
    expect(percent(follow(queueOf([sent(1, 0)])))).toBe(0);
    expect(percent(follow(queueOf([sent(1, 8)])))).toBe(80);
    const added = [makeItem('queued', 2, { size: 98 * MIB })];
    expect(percent(follow(queueOf([sent(1, 8), ...added])))).toBe(80);
    // Ten of the remaining hundred: a tenth of the last fifth.
    expect(percent(follow(queueOf([linked(1), sent(2, 8, 98)])))).toBe(82);
    expect(percent(follow(queueOf([linked(1), sent(2, 98, 98)])))).toBe(100);
  });

  it('what gets its link stays counted', () => {
    const follow = createQueueProgress();
    follow(queueOf([sent(1, 0), sent(2, 0)]));
    expect(percent(follow(queueOf([sent(1, 9), sent(2, 0)])))).toBe(45);
    expect(percent(follow(queueOf([linked(1), sent(2, 0)])))).toBe(50);
    expect(percent(follow(queueOf([sent(2, 5)])))).toBe(75);
  });

  it('stays unchanged when items are cancelled', () => {
    const follow = createQueueProgress();
    follow(queueOf([sent(1, 5), sent(2, 5)]));
    expect(percent(follow(queueOf([sent(1, 5)])))).toBe(50);
    expect(percent(follow(queueOf([sent(1, 10)])))).toBe(100);
  });

  it('the next batch starts from zero', () => {
    const follow = createQueueProgress();
    follow(queueOf([sent(1, 9)]));
    expect(follow(queueOf([linked(1)]))).toBeNull();
    expect(percent(follow(queueOf([linked(1), sent(2, 1)])))).toBe(10);
  });

  it('an item added when only a link is missing starts from zero, too', () => {
    const follow = createQueueProgress();
    expect(percent(follow(queueOf([sent(1, 10)])))).toBe(100);
    expect(percent(follow(queueOf([sent(1, 10), sent(2, 0, 90)])))).toBe(10);
  });

  it('the same snapshot sent twice counts once', () => {
    const follow = createQueueProgress();
    const queue = queueOf([sent(1, 3)]);
    expect(follow(queue)).toBe(follow(queue));
  });
});

it('never decreases, whatever happens to the queue', () => {
  const entry = fc.record({
    number: fc.integer({ min: 1, max: 6 }),
    megabytes: fc.integer({ min: 0, max: 10 }),
    state: fc.constantFrom('queued', 'started', 'linked', 'gone', 'pause'),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 40 }), (story) => {
      const follow = createQueueProgress();
      const items = new Map<number, QueueItem>();
      let last: QueueProgress | null = null;
      for (const { number, megabytes, state } of story) {
        if (state === 'gone') items.delete(number);
        else if (state === 'linked') items.set(number, linked(number));
        else if (state === 'queued') items.set(number, makeItem('queued', number, { size: 10 * MIB }));
        else items.set(number, { ...sent(number, megabytes), intent: state === 'pause' ? 'pause' : 'run' });
        const next = follow(queueOf([...items.values()]));
        if (next !== null) {
          if (last !== null && last.leftBytes > 0) expect(next.fraction).toBeGreaterThanOrEqual(last.fraction);
          expect(next.fraction).toBeLessThanOrEqual(1);
          expect(next.fraction === 1).toBe(next.leftBytes === 0);
        }
        last = next;
      }
    }),
  );
});
