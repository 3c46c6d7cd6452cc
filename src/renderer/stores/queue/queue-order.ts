/**
 * Orders the queue as the window shows it, active items before finished ones, and finds the position of a moved item.
 */
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';

/** Splits the queue into active items in order and finished ones, newest first. */
export const splitQueue = (items: readonly QueueItem[]) => ({
  active: items.filter((item) => item.state !== 'linked').toSorted((a, b) => a.position - b.position),
  finished: items.filter((item) => item.state === 'linked').toSorted((a, b) => b.linkedAt - a.linkedAt),
});

/** Result of moving an item: `before` for `queue.move`, and its new position from 1. */
export const placeAfterMove = (
  active: readonly QueueItem[],
  id: QueueItem['id'],
  to: 'top' | 'up' | 'down' | 'end',
): { readonly before: QueueItem['id'] | null; readonly position: number } | null => {
  const from = active.findIndex((item) => item.id === id);
  const last = active.length - 1;
  const target = { top: 0, up: from - 1, down: from + 1, end: last }[to];
  if (from === -1 || target < 0 || target > last || target === from) return null;
  const others = active.filter((item) => item.id !== id);
  return { before: others[target]?.id ?? null, position: target + 1 };
};
