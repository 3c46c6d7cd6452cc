/**
 * Summarizes the upload queue for the tray (icon, tooltip and menu) and the task bar: waiting items, items that need
 * the user, whether the queue is paused, and its progress. Also says of one item whether it waits or needs the user,
 * and its progress.
 */

import type { Queue } from '../../ipc/protocol/app-state.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import { type QueueProgress, sentBytes } from '../../ipc/protocol/queue-progress-tracker.ts';

export interface QueueSummary {
  /** Items that are not published yet and can continue. */
  readonly waiting: number;
  /** Items that need the user. */
  readonly failed: number;
  readonly isPaused: boolean;
  /** Progress as the window shows it, else the sent share of the waiting items, in [0, 1]; null: unknown. */
  readonly part: number | null;
}

export const needsUser = (item: QueueItem): boolean =>
  item.state === 'unreadable' || (item.error !== null && item.error.retryAt === null);

export const isWaiting = (item: QueueItem): boolean =>
  item.state !== 'linked' && item.intent !== 'cancel' && !needsUser(item);

const partOf = (items: readonly QueueItem[], live: Queue['live']): number | null => {
  const total = items.reduce((bytes, { size }) => bytes + size, 0);
  const sent = items.reduce((bytes, item) => bytes + sentBytes(item, live), 0);
  return total === 0 ? null : Math.min(1, sent / total);
};

export const partOfItem = (item: QueueItem, live: Queue['live']): number | null => partOf([item], live);

/** `batch`: the overall progress, if it was followed. */
export const summaryOf = ({ items, live, paused }: Queue, batch: QueueProgress | null): QueueSummary => {
  const waiting = items.filter(isWaiting);
  return {
    waiting: waiting.length,
    failed: items.filter(needsUser).length,
    isPaused: paused || (waiting.length > 0 && waiting.every(({ intent }) => intent === 'pause')),
    part: batch?.fraction ?? partOf(waiting, live),
  };
};
