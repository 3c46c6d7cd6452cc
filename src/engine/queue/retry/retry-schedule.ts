/** When troubled items are due, in monotonic time: a clock that jumps must not make them wait for days. */

import type { ItemId } from '../../../api/ids.ts';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import type { Clock } from '../../ports.ts';
import { LONGEST_BACKOFF_MS } from './backoff.ts';

export interface RetrySchedule {
  /** The monotonic instant from which the item may go on; 0 without trouble, null where it waits for a person. */
  of(item: QueueItem): number | null;
  /** The item has left the queue. */
  forget(id: ItemId): void;
}

export const createRetrySchedule = (clock: Clock): RetrySchedule => {
  const known = new Map<ItemId, { readonly retryAt: number; readonly at: number }>();
  return {
    of({ id, trouble }) {
      if (!trouble) return 0;
      const { retryAt } = trouble;
      if (retryAt === null) return null;
      const before = known.get(id);
      if (before?.retryAt === retryAt) return before.at;
      const wait = Math.min(Math.max(0, retryAt - clock.now()), 3 * LONGEST_BACKOFF_MS);
      const at = clock.monotonic() + wait;
      known.set(id, { retryAt, at });
      return at;
    },
    forget(id) {
      known.delete(id);
    },
  };
};
