/**
 * Tracks the progress of the queue for title, tab icon, task bar and tray: a fraction, and the items and bytes that are
 * left. The fraction never decreases during a run: each sent byte advances it by its share of the bytes still to send.
 * A run ends when nothing runs, or when items are added after everything was sent.
 */
import type { ItemId } from '../../api/ids.ts';
import type { Queue } from './app-state.ts';
import type { QueueItem } from './queue-item.ts';

export interface QueueProgress {
  /** In [0, 1]; 1 only when everything has been sent. */
  readonly fraction: number;
  /** Items that are not published yet, including announced ones. */
  readonly left: number;
  /** Bytes still to be sent. */
  readonly leftBytes: number;
}

const isRunning = ({ state, intent, error }: QueueItem): boolean =>
  state !== 'linked' &&
  state !== 'unreadable' &&
  intent === 'run' &&
  // An item that waits for the user is not in progress.
  (error === null || error.retryAt !== null);

/** The bytes of an item that the service has confirmed. */
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

/** Confirmed bytes and those in flight, at most the item's size: a running Linkshot of another version may count differently. */
export const sentBytes = (item: QueueItem, live: Queue['live']): number => {
  const now = live[item.id];
  const isSending = now?.activity === 'sending' && (item.state === 'started' || item.state === 'posting');
  return Math.min(item.size, Math.max(confirmedBytes(item), isSending ? now.doneBytes : 0));
};

/** Sizes in bytes of items that are being received and will be added to the queue. */
export type PendingSizes = readonly number[];

interface Batch extends QueueProgress {
  /** The maximum confirmed bytes of each item. */
  readonly sent: ReadonlyMap<ItemId, number>;
  /** Items that had their link at the start. */
  readonly linked: ReadonlySet<ItemId>;
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0);

const step = (before: Batch | null, { items, live }: Queue, coming: PendingSizes): Batch | null => {
  const running = items.filter(isRunning);
  const total = sum(running.map(({ size }) => size)) + sum(coming);
  if (total === 0) return null;
  const now = new Map(running.map((item) => [item.id, sentBytes(item, live)]));
  const leftBytes = total - sum(now.values());
  const left = running.length + coming.length;
  const links = items.filter(({ state }) => state === 'linked');
  const linked = new Set(links.map(({ id }) => id));
  if (before === null || (before.leftBytes === 0 && leftBytes > 0))
    return { fraction: 1 - leftBytes / total, left, leftBytes, sent: now, linked };

  const highest = new Map([...now].map(([id, bytes]) => [id, Math.max(bytes, before.sent.get(id) ?? 0)]));
  // Items linked since then count in full, including those that came and went between two snapshots.
  const finished = links.filter(({ id }) => !before.linked.has(id));
  const moved =
    sum(finished.map(({ id, size }) => Math.max(0, size - (before.sent.get(id) ?? 0)))) +
    sum([...highest].map(([id, bytes]) => bytes - (before.sent.get(id) ?? now.get(id) ?? 0)));
  const share = leftBytes === 0 ? 1 : moved / (moved + leftBytes);
  const fraction = Math.min(1, before.fraction + (1 - before.fraction) * share);
  return { fraction, left, leftBytes, sent: highest, linked };
};

const NOTHING: PendingSizes = [];

/** Follows one queue; call it with each snapshot, and with the items still to come. Null: nothing runs. */
export const createQueueProgress = () => {
  let batch: Batch | null = null;
  let last: { readonly queue: Queue; readonly coming: PendingSizes } | null = null;
  return (queue: Queue, coming: PendingSizes = NOTHING): QueueProgress | null => {
    if (queue !== last?.queue || coming !== last.coming) batch = step(batch, queue, coming);
    last = { queue, coming };
    return batch;
  };
};
