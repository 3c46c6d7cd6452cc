/**
 * Recovers the screenshots after damage to the database, before the queue: what the user hid in a screenshot, or
 * discarded, must not become an item. A screenshot that is not queued as the user finished it returns to the editor.
 */
import { basename } from 'node:path';
import { failure } from '../../api/errors.ts';
import type { CaptureId } from '../../api/ids.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import { isDiskFull } from '../../common/disk-full.ts';
import type { QueueItem } from '../../ipc/protocol/queue-item.ts';
import type { Clock, Random } from '../ports.ts';
import type { Spool } from '../profile/spool.ts';
import { orphanOf } from '../queue/orphaned-uploads.ts';
import { hasWork } from '../queue/queue-item-states.ts';
import type { QueueStore } from '../queue/queue-store.ts';
import { waitsForReview } from '../upload-check/check-before-upload.ts';
import { NOT_APPLIED_DETAIL } from '../upload-check/drawing-not-applied.ts';
import { draftPath } from './editor-drafts.ts';
import type { PendingCapture, PendingCaptures } from './pending-captures.ts';
import { measurePicture } from './write-png.ts';

export interface RecoverCapturesDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly pending: PendingCaptures;
  readonly store: QueueStore;
  readonly spool: Spool;
  /** The item has left the queue. */
  readonly removed: (item: QueueItem) => void;
}

/**
 * The items of screenshots leave the queue: an older database may have them with the unedited picture. One that was not
 * begun stays, with its link settings, and waits until the user has finished its picture in the editor. May be repeated.
 * Resolves to false where the disk is full or a file cannot be deleted: then this run has the screenshots, and the next
 * start recovers them again.
 */
export const recoverCaptures = async (deps: RecoverCapturesDeps): Promise<boolean> => {
  const { clock, random, pending, store, spool } = deps;
  const files = await spool.list();
  const present = new Set(files.map(({ path }) => path));
  let isComplete = true;

  /** Returns a screenshot to the editor, with the item that has its picture. */
  const edit = (capture: Omit<PendingCapture, 'item' | 'status'>): void => {
    const item = store.all().find(({ source }) => source.path === capture.path);
    const isKept =
      item?.state === 'queued' && item.origin === 'capture' && item.intent !== 'cancel' && !item.isReviewed;
    pending.note({ ...capture, ...(isKept && { item: item.id }), status: EDITING });
    if (!isKept) return;
    const notApplied = failure('DRAWING_NOT_APPLIED', NOT_APPLIED_DETAIL);
    const error = { failure: notApplied, since: clock.now(), retryAt: null };
    store.note({ ...item, intent: 'pause', error: waitsForReview(item) ? item.error : error });
  };

  for (const { item, ...capture } of pending.all()) {
    const { id, path, status } = capture;
    if (status.is === 'editing') {
      edit(capture);
    } else if (status.is !== 'going' || !status.after.publish) {
      if (item !== undefined) pending.note(capture);
    } else if (status.picture === path || !present.has(status.picture)) {
      edit(capture);
    } else {
      // The edited picture becomes an item, or is one.
      const removing = [path, draftPath(path)].map((file) => rm(file, { force: true }));
      const isRemoved = (await Promise.allSettled(removing)).every((one) => one.status === 'fulfilled');
      if (isRemoved) pending.drop(id);
      else isComplete = false;
    }
  }

  const isPending = (path: string): boolean => pending.all().some((capture) => capture.path === path);
  for (const { path } of files.filter((file) => present.has(draftPath(file.path)) && !isPending(file.path))) {
    const item = store.all().find(({ source }) => source.path === path);
    const size = item?.state === 'linked' ? null : await measurePicture(path);
    if (size === null) continue;
    const facts = { name: item?.name ?? basename(path), takenAt: item?.createdAt ?? clock.now() };
    edit({ id: random.uuid() as string as CaptureId, path, ...facts, ...size });
  }
  const kept = new Set(pending.all().map(({ item }) => item));
  for (const item of store.all().filter((one) => hasWork(one) && isPending(one.source.path))) {
    if (!kept.has(item.id) && store.remove(item.id, orphanOf(item, clock)).ok) deps.removed(item);
  }

  const last = pending.all().at(-1);
  try {
    if (last) pending.put(last);
    return isComplete;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    return false;
  }
};

const EDITING = { is: 'editing' } as const;
