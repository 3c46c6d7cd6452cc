/**
 * Watches the items whose source file is missing, or was being read when its drive went away; when the file can be read
 * again, the item continues by itself.
 */

import type { Failure } from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import { isMountPoint } from '../../../base/node/mount-point.ts';
import { isDriveAway } from '../../../common/is-drive-away.ts';
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

const isAbsence = (reason: Failure): boolean => reason.code === 'SOURCE_MISSING' || isDriveAway(reason);

const isMissing = (item: QueueItem | undefined): item is QueueItem =>
  item?.error?.retryAt === null && isAbsence(item.error.failure);

const progressOf = (item: QueueItem): string => `${item.state} ${'confirmedBytes' in item ? item.confirmedBytes : ''}`;

/** Ends with `signal`. */
export const createMissingSourceWatcher = (
  { clock, store, openSource, onBack }: MissingSourceDeps,
  signal: AbortSignal,
): MissingSourceWatcher => {
  const watched = new Set<ItemId>();
  /** The next pauses, also of items that were found again: a file with a damaged sector fails each time. */
  const pauses = new Map<ItemId, { readonly ms: number; readonly progress: string }>();

  const pauseOf = (item: QueueItem): number => {
    const progress = progressOf(item);
    const known = pauses.get(item.id);
    const ms = known?.progress === progress ? known.ms : FIRST_CHECK_MS;
    pauses.set(item.id, { ms: Math.min(2 * ms, LONGEST_PAUSE_MS), progress });
    return ms;
  };

  /** Null: the beginning of the file can be read. */
  const problemAt = async (path: string): Promise<Failure | null> => {
    const source = await openSource(path);
    if (!source.ok) return source.error;
    const read = await source.value.read(Buffer.alloc(1), 0).finally(() => source.value.close());
    return read.ok ? null : read.error;
  };

  const isBack = async (item: QueueItem, { name, mount }: NonNullable<Failure['params']>): Promise<boolean> => {
    // What can be read where the drive was mounted is not what was on it.
    if (typeof mount === 'string' && !(await isMountPoint(mount))) return false;
    const problem = await problemAt(sentPath(item));
    if (problem && isAbsence(problem)) return false;
    // A folder can be opened, but a file in it fails: one that is gone meanwhile is none of its files any more.
    const named = typeof name === 'string' ? await problemAt(name) : null;
    return named === null || !isDriveAway(named);
  };

  const follow = async (id: ItemId): Promise<void> => {
    for (let item = store.get(id); isMissing(item); item = store.get(id)) {
      await clock.sleep(pauseOf(item), signal);
      item = store.get(id);
      if (!isMissing(item)) return;
      if (!(await isBack(item, item.error?.failure.params ?? {}))) continue;
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
