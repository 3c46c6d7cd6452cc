/**
 * Watches the items whose source file is missing, e.g. because a drive was removed; when the file returns, the item
 * continues by itself.
 */

import type { ItemId } from '../../../api/ids.ts';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import type { Clock } from '../../ports.ts';
import type { OpenSourceAt } from '../../upload/upload-source.ts';
import { sentPath } from '../queue-item-states.ts';
import type { QueueStore } from '../queue-store.ts';

export interface MissingSourceDeps {
  readonly clock: Clock;
  readonly store: QueueStore;
  readonly openSource: OpenSourceAt;
  /** The item has its file again and its error is cleared. */
  readonly onBack: () => void;
}

export interface MissingSourceWatcher {
  /** Watches the item if its file is missing. Idempotent. */
  watch(item: QueueItem | undefined): void;
}

const FIRST_CHECK_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

const isMissing = (item: QueueItem | undefined): item is QueueItem =>
  item?.error?.failure.code === 'SOURCE_MISSING' && item.error.retryAt === null;

/** Ends with `signal`. */
export const createMissingSourceWatcher = (
  { clock, store, openSource, onBack }: MissingSourceDeps,
  signal: AbortSignal,
): MissingSourceWatcher => {
  const watched = new Set<ItemId>();

  const follow = async (id: ItemId): Promise<void> => {
    for (let pause = FIRST_CHECK_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      await clock.sleep(pause, signal);
      const item = store.get(id);
      if (!isMissing(item)) return;
      const source = await openSource(sentPath(item));
      if (source.ok) await source.value.close();
      else if (source.error.code === 'SOURCE_MISSING') continue;
      const now = store.get(id);
      if (isMissing(now)) store.note({ ...now, error: null });
      return onBack();
    }
  };

  return {
    watch(item) {
      if (!isMissing(item) || watched.has(item.id)) return;
      watched.add(item.id);
      follow(item.id)
        // The queue was closed.
        .catch(() => {})
        .finally(() => watched.delete(item.id));
    },
  };
};
