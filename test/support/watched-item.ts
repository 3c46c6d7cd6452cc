/** One queue item that the watcher of missing sources waits for, without a queue, a database or time. */
import type { Clock } from '../../src/engine/ports.ts';
import type { QueueStore } from '../../src/engine/queue/queue-store.ts';
import { createMissingSourceWatcher } from '../../src/engine/queue/retry/missing-source-watcher.ts';
import type { OpenSourceAt } from '../../src/engine/upload/upload-source.ts';
import type { QueueItem } from '../../src/ipc/protocol/queue-item.ts';
import { soon } from './poll-timeouts.ts';

export interface WatchedItem {
  item(): QueueItem;
  /** Watches `item` from now on. */
  watch(item: QueueItem): void;
  /** Resolves when the source is back for the first time. */
  readonly back: Promise<void>;
}

/** `sleep` is each pause between two looks; `onBack` is called whenever the source is back. */
export const watchedItem = ({
  openSource,
  sleep = async () => {},
  onBack = () => {},
}: {
  readonly openSource: OpenSourceAt;
  readonly sleep?: Clock['sleep'];
  readonly onBack?: () => void;
}): WatchedItem => {
  let current: QueueItem;
  const back = Promise.withResolvers<void>();
  const watcher = createMissingSourceWatcher(
    {
      clock: { sleep } as Partial<Clock> as Clock,
      store: {
        get: () => current,
        note(next) {
          current = next;
        },
      } as Partial<QueueStore> as QueueStore,
      openSource,
      onBack() {
        onBack();
        back.resolve();
      },
    },
    soon(),
  );
  return {
    item: () => current,
    watch(item) {
      current = item;
      watcher.watch(item);
    },
    back: back.promise,
  };
};
