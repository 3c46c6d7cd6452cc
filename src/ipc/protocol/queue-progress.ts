/**
 * How far the queue is, as one number for title, tab icon, task bar and tray. Promise: it never goes back before all is
 * sent. What is sent takes the bar as much of its own way to the end as it is of all that is left to send; so what is added
 * later makes it slower, what is cancelled faster, and what is done stays done. What is added after that begins anew.
 */
import type { ItemId } from '../../api/ids.ts';
import type { QueueItem } from './queue-item.ts';
import type { Queue } from './state.ts';

export interface QueueProgress {
  /** In [0, 1]; 1 only when all has been sent. */
  readonly fraction: number;
  /** Items that are not published yet, with those that are still to come. */
  readonly left: number;
  /** Bytes still to be sent. */
  readonly leftBytes: number;
}

const isRunning = ({ state, intent, trouble }: QueueItem): boolean =>
  state !== 'linked' &&
  state !== 'unreadable' &&
  intent === 'run' &&
  // What cannot go on without the person is not under way.
  (trouble === null || trouble.retryAt !== null);

/** What the service has of an item for sure, in bytes. */
export const confirmedBytes = (item: QueueItem): number => {
  switch (item.state) {
    case 'started':
      return item.confirmedBytes;
    case 'sent':
    case 'completing':
    case 'published':
    case 'linked':
      return item.size;
    case 'queued':
    case 'prepared':
    case 'hashed':
    case 'posting':
    case 'unreadable':
      return 0;
  }
};

const sentOf = (item: QueueItem, live: Queue['live']): number => {
  const now = live[item.id];
  const isSending = now?.activity === 'sending' && (item.state === 'started' || item.state === 'posting');
  return Math.min(item.size, isSending ? now.doneBytes : confirmedBytes(item));
};

/** The sizes in bytes of what will be added to the queue as soon as it is received. */
export type Coming = readonly number[];

interface Batch extends QueueProgress {
  /** The most of each item that was seen to be sent. */
  readonly sent: ReadonlyMap<ItemId, number>;
  /** What had its link already. */
  readonly linked: ReadonlySet<ItemId>;
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0);

const step = (before: Batch | null, { items, live }: Queue, coming: Coming): Batch | null => {
  const running = items.filter(isRunning);
  const total = sum(running.map(({ size }) => size)) + sum(coming);
  if (total === 0) return null;
  const now = new Map(running.map((item) => [item.id, sentOf(item, live)]));
  const leftBytes = total - sum(now.values());
  const left = running.length + coming.length;
  const links = items.filter(({ state }) => state === 'linked');
  const linked = new Set(links.map(({ id }) => id));
  if (before === null || (before.leftBytes === 0 && leftBytes > 0))
    return { fraction: 1 - leftBytes / total, left, leftBytes, sent: now, linked };

  const most = new Map([...now].map(([id, bytes]) => [id, Math.max(bytes, before.sent.get(id) ?? 0)]));
  // What got its link since then was sent whole, also what came and went between two snapshots.
  const finished = links.filter(({ id }) => !before.linked.has(id));
  const moved =
    sum(finished.map(({ id, size }) => Math.max(0, size - (before.sent.get(id) ?? 0)))) +
    sum([...most].map(([id, bytes]) => bytes - (before.sent.get(id) ?? now.get(id) ?? 0)));
  const way = leftBytes === 0 ? 1 : moved / (moved + leftBytes);
  const fraction = Math.min(1, before.fraction + (1 - before.fraction) * way);
  return { fraction, left, leftBytes, sent: most, linked };
};

const NOTHING: Coming = [];

/** Follows one queue; to be told of each of its snapshots, and of what is still to come into it. Null: nothing runs. */
export const createQueueProgress = () => {
  let batch: Batch | null = null;
  let last: { readonly queue: Queue; readonly coming: Coming } | null = null;
  return (queue: Queue, coming: Coming = NOTHING): QueueProgress | null => {
    if (queue !== last?.queue || coming !== last.coming) batch = step(batch, queue, coming);
    last = { queue, coming };
    return batch;
  };
};
