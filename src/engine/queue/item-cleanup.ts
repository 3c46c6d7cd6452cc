/**
 * Cleans up the upload queue: deletes the stored passwords and temporary files of published and cancelled items, and
 * removes old published items from the queue. Also checks whether a temporary file belongs to an item, or is needed.
 */

import type { QueueItem, QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { Thumbnails } from '../library/thumbnails.ts';
import { DRAWING_ENDING, preparedPaths, type Spool } from '../profile/spool.ts';
import type { OpenFileCache } from '../upload/open-file-cache.ts';
import type { Passwords } from './link/link-passwords.ts';
import type { QueueStore } from './queue-store.ts';

export interface ItemCleanupDeps {
  readonly spool: Spool;
  readonly passwords: Passwords;
  readonly thumbnails: Thumbnails;
  readonly sources: Pick<OpenFileCache, 'release'>;
  /** Stores the text of a published note, while its file still exists. */
  readonly remember: (item: QueueItemIn<'linked'>) => Promise<void>;
}

/**
 * Deletes the password and the spooled files of a finished item, in the background; files that remain are swept at a
 * later start.
 */
export const createItemCleanup = ({ spool, passwords, thumbnails, sources, remember }: ItemCleanupDeps) => {
  /** The row no longer has one that was refused. */
  const preparedOf = ({ id, body }: QueueItem): readonly string[] => [
    ...new Set([...preparedPaths(spool.dir, id), ...(body ? [body.path] : [])]),
  ];
  const release = (item: QueueItem, own: readonly string[]): void => {
    const owned = [...own, ...preparedOf(item)];
    const freed = thumbnails.made().then(() => Promise.all(owned.map((path) => spool.remove(path))));
    Promise.all([passwords.discard(item.id), freed]).catch(() => {});
  };
  const sourcesOf = ({ source }: QueueItem): readonly string[] =>
    source.owner === 'spool' ? [source.path, source.path + DRAWING_ENDING] : [];
  const close = (item: QueueItem): void => {
    for (const path of [item.source.path, ...preparedOf(item)]) sources.release(path);
  };
  return {
    linked(item: QueueItemIn<'linked'>): void {
      close(item);
      remember(item)
        // A note that cannot be found by its text is still found by its title.
        .catch(() => {})
        .finally(() => release(item, sourcesOf(item)));
    },
    cancelled(item: QueueItem): void {
      close(item);
      release(item, sourcesOf(item));
      thumbnails.remove(item.id).catch(() => {});
    },
    /** The item has left the queue in a recovery; its source, if it exists, belongs to the editor. */
    recovered(item: QueueItem): void {
      release(item, []);
      thumbnails.remove(item.id).catch(() => {});
    },
  };
};

/** Deletes the passwords of items that are finished or gone, and whose cleanup did not come that far. */
export const sweepPasswords = async (passwords: Passwords, store: QueueStore): Promise<void> => {
  for (const id of passwords.all()) {
    const state = store.get(id)?.state ?? 'linked';
    if (state === 'linked') await passwords.discard(id);
  }
};

/** Number of finished items that stay in the queue; all of them are in the library. */
const FINISHED_SHOWN = 100;

export const trimQueue = (store: QueueStore): void => {
  const finished = store.all().filter((item) => item.state === 'linked' && item.deliveredAt !== null);
  for (const { id } of finished.slice(0, Math.max(0, finished.length - FINISHED_SHOWN))) store.remove(id, null);
};

const owns = ({ source, body }: QueueItem, path: string): boolean =>
  source.path === path || source.path + DRAWING_ENDING === path || body?.path === path;

/** Whether a file of the spool belongs to an item: its source, what is drawn on that, or its prepared body. */
export const isOwnedByItem = (store: QueueStore, path: string): boolean => store.all().some((item) => owns(item, path));

/**
 * For the sweep of a start: whether an item still needs a file of the spool. What is published by now does not, and a
 * crash came before its cleanup; what is published later is cleaned up then, after its text is stored.
 */
export const createNeededByItem = (store: QueueStore): ((path: string) => boolean) => {
  const published = new Set(store.all().flatMap(({ id, state }) => (state === 'linked' ? id : [])));
  return (path) => store.all().some((item) => !published.has(item.id) && owns(item, path));
};
