/**
 * Keeps the queue going when the account has no place left for another unfinished upload. Items that rest here hold
 * places, too; the one with the least to lose gives its upload up and begins a new one, with the same hashes, when it
 * goes on.
 */

import type { AccountId, RequestKey } from '../../api/ids.ts';
import type { QueueItem, QueueItemIn } from '../../ipc/protocol/queue-item.ts';
import type { Clock, Random } from '../ports.ts';
import type { QueueStore } from './queue-store.ts';
import { freshStart } from './work-item.ts';

export interface UploadSlotDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: QueueStore;
}

/** Whether the service has been asked, or will be, to cancel an upload of this account that nothing here goes on with. */
export const freeUploadSlot = ({ clock, random, store }: UploadSlotDeps, accountId: AccountId): boolean => {
  if (store.abandoned().some((upload) => upload.accountId === accountId)) return true;
  const [least] = store
    .all()
    .filter((item): item is Resting => item.accountId === accountId && isResting(item))
    .toSorted((a, b) => a.confirmedBytes - b.confirmedBytes);
  if (!least) return false;
  const { attempts } = least;
  store.note({ ...freshStart(least, random.uuid() as RequestKey), attempts });
  store.abandon({ uploadId: least.uploadId, accountId, abandonedAt: clock.now() });
  return true;
};

/** Only these: of an upload that is being completed nobody here knows whether it is published already. */
type Resting = QueueItemIn<'started' | 'sent'>;

/** It waits for a person, who paused it or has to mend something. */
const isResting = (item: QueueItem): boolean =>
  (item.state === 'started' || item.state === 'sent') &&
  (item.intent === 'pause' || (item.intent === 'run' && item.trouble !== null && item.trouble.retryAt === null));
