/** Schedules retries in monotonic time, so that a clock change cannot delay them for days. */

import type { ItemId } from '../../../api/ids.ts';
import { LONGEST_BACKOFF_MS } from '../../../base/common/backoff.ts';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import type { Clock } from '../../ports.ts';

export interface RetrySchedule {
  /** The monotonic time at which the item may continue; 0 without an error, null where it waits for the user. */
  of(item: QueueItem): number | null;
  /** Call when the item has left the queue. */
  forget(id: ItemId): void;
}

export const createRetrySchedule = (clock: Clock): RetrySchedule => {
  const known = new Map<ItemId, { readonly retryAt: number; readonly at: number }>();
  return {
    of({ id, error }) {
      if (!error) return 0;
      const { retryAt } = error;
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
