/**
 * Recovers the upload queue after damage to the database, which was replaced by a backup or an empty one: pauses the
 * unfinished items, removes those whose file in the spool is missing, and adds the files of the spool that have no
 * item, as private: their link settings and passwords are lost.
 */

import { failure, type Result } from '../../api/errors.ts';
import type { ItemId } from '../../api/ids.ts';
import type { Job, QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { Clock, Random } from '../ports.ts';
import { CLIPBOARD_ENDING, DRAWING_ENDING, isPreparedFile, NOTE_ENDING, type Spool } from '../profile/spool.ts';
import { FOLDER_ENDING } from '../spool-file-endings.ts';
import { isOwnedByItem } from './item-cleanup.ts';
import { orphanOf } from './orphaned-uploads.ts';
import { hasWork } from './queue-item-states.ts';
import type { QueueStore } from './queue-store.ts';

/**
 * The fate of items since the backup is unknown, so the unfinished ones are paused for the user, and files of the spool
 * without an item become items. Items whose file in the spool is missing were published or cancelled since. May be
 * repeated. Errors: DISK_FULL; then files without an item are left.
 */
export const recoverQueue = async ({
  clock,
  random,
  store,
  spool,
  isOwnedElsewhere,
  waitsForReview,
  removed,
}: {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: QueueStore;
  readonly spool: Spool;
  /** Whether a file of the spool belongs to something other than an item. */
  readonly isOwnedElsewhere: (path: string) => boolean;
  /** Such an item keeps its error, by which the editor knows it. */
  readonly waitsForReview: (item: QueueItem) => boolean;
  /** The item has left the queue. */
  readonly removed: (item: QueueItem) => void;
}): Promise<Result<void>> => {
  const files = await spool.list();
  const present = new Set(files.map(({ path }) => path));
  const error = {
    failure: failure('PROFILE_DAMAGED', 'This item was recovered after the queue was damaged. Continue or remove it.'),
    since: clock.now(),
    retryAt: null,
  };
  for (const item of store.all().filter(hasWork)) {
    if (item.source.owner !== 'spool' || present.has(item.source.path)) {
      store.note({ ...item, intent: 'pause', error: waitsForReview(item) ? item.error : error });
    } else if (store.remove(item.id, orphanOf(item, clock)).ok) removed(item);
  }
  const isItemFile = (name: string) =>
    !isPreparedFile(name) && !name.endsWith(DRAWING_ENDING) && !name.endsWith(CLIPBOARD_ENDING);
  // Of what is drawn on, only the editor makes the picture that the user wants to publish.
  const isDrawnOn = (path: string) => present.has(path + DRAWING_ENDING);
  const orphans = files.filter(
    ({ path, name }) => isItemFile(name) && !isDrawnOn(path) && !isOwnedByItem(store, path) && !isOwnedElsewhere(path),
  );
  return store.insert(
    orphans.map(({ path, name, size }, index) => ({
      id: random.uuid() as ItemId,
      state: 'queued',
      accountId: null,
      name,
      size,
      source: { owner: 'spool', path },
      // A picture of unknown origin may be a capture, which is checked for secrets.
      ...(name.endsWith('.png') && { origin: 'capture' as const }),
      job: jobOf(name),
      body: null,
      share: { visibility: 'private' },
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
