import { describe, expect, it } from 'vitest';
import { type ErrorCode, failure } from '../../../src/api/errors.ts';
import type { ItemProgress, QueueItem } from '../../../src/ipc/protocol/queue-item.ts';
import { remediesOf, viewItem } from '../../../src/renderer/stores/queue/item-view.ts';
import { placeAfterMove, splitQueue } from '../../../src/renderer/stores/queue/queue-order.ts';
import { itemId, MIB, makeItem, NOON } from '../../support/window/app-state.ts';

const CONNECTED = { paused: false, connection: 'connected' } as const;
const error = (code: ErrorCode, retryAt: number | null = null) => ({
  failure: failure(code, ''),
  since: NOON,
  retryAt,
});
const sending: ItemProgress = { activity: 'sending', doneBytes: 5 * MIB, bytesPerSecond: MIB, secondsLeft: 5 };

describe('what an item is doing', () => {
  it('is the one that the engine reports while no error prevents it', () => {
    const view = viewItem(makeItem('started', 1, { size: 10 * MIB }), sending, CONNECTED);
    expect(view).toMatchObject({
      phase: 'sending',
      doneBytes: 5 * MIB,
      secondsLeft: 5,
      toggle: 'pause',
      error: null,
    });
  });

  it.each([
    ['the wish to pause', { intent: 'pause' }, CONNECTED, 'paused'],
    ['the wish to cancel', { intent: 'cancel' }, CONNECTED, 'cancelling'],
    ['an error for the user', { error: error('DISK_FULL') }, CONNECTED, 'stuck'],
    ['a temporary error', { error: error('NETWORK_FAILED', NOON) }, CONNECTED, 'retrying'],
    ['a paused queue', {}, { ...CONNECTED, paused: true }, 'queuePaused'],
    [
      'a paused queue, also after an error',
      { error: error('NETWORK_FAILED', NOON) },
      { ...CONNECTED, paused: true },
      'queuePaused',
    ],
    ['an error for the user in a paused queue', { error: error('DISK_FULL') }, { ...CONNECTED, paused: true }, 'stuck'],
    ['a missing connection', {}, { ...CONNECTED, connection: 'failed' }, 'offline'],
  ] as const)('is overruled by %s', (_, change, around, phase) => {
    expect(
      viewItem(makeItem('started', 1, change as Partial<QueueItem & { state: 'started' }>), sending, around).phase,
    ).toBe(phase);
  });

  it('counts only confirmed bytes while nothing is sent', () => {
    const item = makeItem('started', 1, { size: 10 * MIB, confirmedBytes: 4 * MIB, intent: 'pause' });
    expect(viewItem(item, sending, CONNECTED)).toMatchObject({
      doneBytes: 4 * MIB,
      bytesPerSecond: null,
      toggle: 'resume',
    });
  });
});

it('an error is still shown while the queue is paused, without a retry', () => {
  const item = makeItem('started', 1, { error: error('NETWORK_FAILED', NOON) });
  expect(viewItem(item, undefined, { ...CONNECTED, paused: true }).error).toMatchObject({
    retryAt: null,
    remedies: [],
  });
  const refused = makeItem('started', 1, { error: error('TLS_FAILED') });
  expect(viewItem(refused, undefined, { ...CONNECTED, paused: true }).error?.remedies).toEqual(['settings', 'retry']);
});

describe('an item that cannot be cancelled', () => {
  const cancelling = (code: ErrorCode, retryAt: number | null = null) =>
    viewItem(makeItem('completing', 1, { intent: 'cancel', error: error(code, retryAt) }), undefined, CONNECTED);

  it.each([
    ['NOT_CONNECTED', null, ['reconnect', 'remove']],
    ['ACCOUNT_MISMATCH', NOON, ['settings', 'retry', 'remove']],
    ['SCOPE_MISSING', null, ['reconnect', 'remove']],
  ] as const)('because of %s shows the reason, and can be removed', (code, retryAt, remedies) => {
    expect(cancelling(code, retryAt)).toMatchObject({
      phase: 'cancelling',
      toggle: null,
      error: { remedies, retryAt },
    });
  });

  it('for a moment only shows no error', () => {
    expect(cancelling('NETWORK_FAILED', NOON)).toMatchObject({ phase: 'cancelling', error: null });
  });
});

describe('the kept part of an upload', () => {
  const kept = (item: QueueItem) => viewItem(item, undefined, CONNECTED).error?.kept;

  it('is what the server has confirmed', () => {
    const why = error('NETWORK_FAILED', NOON);
    expect(kept(makeItem('queued', 1, { error: why }))).toEqual({ what: 'nothingSent' });
    expect(kept(makeItem('started', 1, { error: why }))).toEqual({ what: 'nothingSent' });
    expect(kept(makeItem('started', 1, { error: why, confirmedBytes: MIB }))).toEqual({ what: 'parts', bytes: MIB });
    expect(kept(makeItem('completing', 1, { error: why }))).toEqual({ what: 'allSent' });
    const blocked = { intent: 'cancel', error: error('NOT_CONNECTED') } as const;
    expect(kept(makeItem('completing', 1, blocked))).toEqual({ what: 'deletion' });
  });

  it('is nothing once the server has refused the bytes', () => {
    const item = makeItem('started', 1, { error: error('UPLOAD_FORMAT_UNSUPPORTED'), confirmedBytes: MIB });
    expect(kept(item)).toEqual({ what: 'nothingStored' });
  });
});

describe('what can be done', () => {
  it.each([
    ['SOURCE_MISSING', ['retry']],
    ['API_KEY_EXPIRED', ['reconnect']],
    ['NOT_CONNECTED', ['reconnect']],
    ['QUOTA_EXCEEDED', ['room', 'retry']],
    ['UPLOAD_FORMAT_UNSUPPORTED', ['remove']],
    ['DRAWING_NOT_APPLIED', ['look', 'approve', 'remove']],
  ] as const)('about %s is %j', (code, remedies) => {
    expect(remediesOf(failure(code, ''))).toEqual(remedies);
  });
});

describe('moving', () => {
  const items = [1, 2, 3].map((number) => makeItem('queued', number));

  it.each([
    [3, 'top', { before: itemId(1), position: 1 }],
    [3, 'up', { before: itemId(2), position: 2 }],
    [1, 'down', { before: itemId(3), position: 2 }],
    [1, 'end', { before: null, position: 3 }],
    [1, 'up', null],
    [3, 'end', null],
    [9, 'up', null],
  ] as const)('item %d to %s', (number, to, place) => {
    expect(placeAfterMove(items, itemId(number), to)).toEqual(place);
  });
});

describe('the queue as a whole', () => {
  it('shows the work in its order and the finished newest first', () => {
    const { active, finished } = splitQueue([
      makeItem('queued', 1, { position: 2.5 }),
      makeItem('linked', 2),
      makeItem('queued', 3, { position: 1 }),
      makeItem('linked', 4),
    ]);
    expect(active.map(({ id }) => id)).toEqual([itemId(3), itemId(1)]);
    expect(finished.map(({ id }) => id)).toEqual([itemId(4), itemId(2)]);
  });
});
