/**
 * Frees an upload slot when the account has too many unfinished uploads. If an upload of the account is already being
 * cancelled, it does nothing more. Otherwise it cancels the upload with the fewest confirmed bytes among the items
 * that wait for the user; that item later starts a new upload.
 */

import type { AccountId, RequestKey } from '../../api/ids.ts';
import type { QueueItem, QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { Clock, Random } from '../ports.ts';
import { freshStart } from './queue-item-states.ts';
import type { QueueStore } from './queue-store.ts';

export interface UploadSlotDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: QueueStore;
}

/** Whether an upload of this account is being cancelled, or will be, so that a slot becomes free. */
export const freeUploadSlot = ({ clock, random, store }: UploadSlotDeps, accountId: AccountId): boolean => {
  if (store.orphanedUploads().some((upload) => upload.accountId === accountId)) return true;
  const [candidate] = store
    .all()
    .filter((item): item is WaitingUpload => item.accountId === accountId && isWaitingForUser(item))
    .toSorted((a, b) => a.confirmedBytes - b.confirmedBytes);
  if (!candidate) return false;
  const { attempts } = candidate;
  store.note({ ...freshStart(candidate, random.uuid() as RequestKey), attempts });
  store.addOrphanedUpload({ uploadId: candidate.uploadId, accountId, orphanedAt: clock.now() });
  return true;
};

/** Excludes uploads that are being completed, because they may already be published. */
type WaitingUpload = QueueItemIn<'started' | 'sent'>;

/** It waits for the user, who paused it or must fix an error. */
const isWaitingForUser = (item: QueueItem): boolean =>
  (item.state === 'started' || item.state === 'sent') &&
  (item.intent === 'pause' || (item.intent === 'run' && item.error !== null && item.error.retryAt === null));
