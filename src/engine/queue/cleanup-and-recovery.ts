/**
 * Cleans up the upload queue: deletes the stored passwords and temporary files of published and cancelled items, and
 * removes old published items from the queue. Also recovers the queue after damage to the database, renders missing
 * thumbnails of items with work left, and checks whether a temporary file belongs to an item.
 */

import { failure } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { Job, QueueItem, QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { Thumbnails } from '../library/thumbnails.ts';
import { type Clock, FOLDER_ENDING, type Random } from '../ports.ts';
import { DRAWING_ENDING, isPreparedFile, NOTE_ENDING, type Spool } from '../profile/spool.ts';
import type { SourceCache } from '../upload/source-cache.ts';
import type { Passwords } from './link/link-passwords.ts';
import { hasWork } from './queue-item-states.ts';
import type { QueueStore } from './queue-store.ts';

export interface ItemCleanupDeps {
  readonly spool: Spool;
  readonly passwords: Passwords;
  readonly thumbnails: Thumbnails;
  readonly sources: Pick<SourceCache, 'release'>;
  /** Stores the text of a published note, while its file still exists. */
  readonly remember: (item: QueueItemIn<'linked'>) => Promise<void>;
}

/**
 * Deletes the password and the spooled files of a finished item, in the background; files that remain are swept at a
 * later start.
 */
export const createItemCleanup = ({ spool, passwords, thumbnails, sources, remember }: ItemCleanupDeps) => {
  const release = ({ id, source, body }: QueueItem): void => {
    const owned = [source.owner === 'spool' ? source.path : null, body?.path ?? null];
    const freed = thumbnails
      .made()
      .then(() => Promise.all(owned.map((path) => (path === null ? undefined : spool.remove(path)))));
    Promise.all([passwords.forget(id), freed]).catch(() => {});
  };
  const close = ({ source, body }: QueueItem): void => {
    sources.release(source.path);
    if (body) sources.release(body.path);
  };
  return {
    linked(item: QueueItemIn<'linked'>): void {
      close(item);
      remember(item)
        // A note that cannot be found by its text is still found by its title.
        .catch(() => {})
        .finally(() => release(item));
    },
    cancelled(item: QueueItem): void {
      close(item);
      release(item);
      thumbnails.remove(item.id).catch(() => {});
    },
  };
};

/** Renders thumbnails of items that were added just before a crash. */
export const makeMissingThumbnails = (store: QueueStore, thumbnails: Thumbnails): void => {
  for (const item of store.all()) {
    if (hasWork(item) && thumbnails.path(item.id) === null)
      thumbnails.make(item.id, item.body?.path ?? item.source.path, 'now');
  }
};

/**
 * Recovers the queue from a backup after database damage. The fate of items since the backup is unknown, so they are
 * paused for the user, and files of the spool without an item become items. Items whose file is missing were published
 * or cancelled since.
 */
export const recoverQueue = async ({
  clock,
  random,
  store,
  spool,
  isOwnedElsewhere,
}: {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: QueueStore;
  readonly spool: Spool;
  /** Whether a file of the spool belongs to something other than an item. */
  readonly isOwnedElsewhere: (path: string) => boolean;
}): Promise<void> => {
  const files = await spool.list();
  const present = new Set(files.map(({ path }) => path));
  const error = {
    failure: failure('PROFILE_DAMAGED', 'This item was recovered after the queue was damaged. Continue or remove it.'),
    since: clock.now(),
    retryAt: null,
  };
  for (const item of store.all().filter(hasWork)) {
    if (item.source.owner === 'spool' && !present.has(item.source.path)) store.remove(item.id, null);
    else store.note({ ...item, intent: 'pause', error });
  }
  const isItemFile = (name: string) => !isPreparedFile(name) && !name.endsWith(DRAWING_ENDING);
  const orphans = files.filter(
    ({ path, name }) => !isOwnedByItem(store, path) && !isOwnedElsewhere(path) && isItemFile(name),
  );
  store.insert(
    orphans.map(({ path, name, size }, index) => ({
      id: random.uuid() as ItemId,
      state: 'queued',
      accountId: null,
      name,
      size,
      source: { owner: 'spool', path },
      job: jobOf(name),
      body: null,
      share: {},
      postPublish: null,
      position: store.end() + index,
      createdAt: clock.now(),
      intent: 'pause',
      attempts: 0,
      error,
    })),
    ({ size }) => ({ kind: 'added', by: 'found', size }),
  );
};

const jobOf = (name: string): Job => {
  if (name.endsWith(NOTE_ENDING)) return { kind: 'note', format: 'plain', language: null };
  return name.endsWith(FOLDER_ENDING) ? { kind: 'folder' } : { kind: 'file', fit: null };
};

/** Number of finished items that stay in the queue; all of them are in the library. */
const FINISHED_SHOWN = 100;

export const trimQueue = (store: QueueStore): void => {
  const finished = store.all().filter((item) => item.state === 'linked' && item.deliveredAt !== null);
  for (const { id } of finished.slice(0, Math.max(0, finished.length - FINISHED_SHOWN))) store.remove(id, null);
};

/** Whether a file of the spool belongs to an item: its source or its prepared body. */
export const isOwnedByItem = (store: QueueStore, path: string): boolean =>
  store.all().some(({ source, body }) => source.path === path || body?.path === path);
