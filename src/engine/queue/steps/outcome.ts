/** What a step is given and what it answers, and the facts with which the next state begins. */

import type { Failure } from '../../../api/errors.ts';
import type { ItemId, RequestKey, UploadId } from '../../../api/ids.ts';
import type { ResumableUpload } from '../../../api/upload.ts';
import type { Afterwards } from '../../../ipc/protocol/link-settings.ts';
import type { QueueItem, QueueItemIn } from '../../../ipc/protocol/queue-item.ts';
import type { Session } from '../../account/account-session.ts';
import type { Clock, Random } from '../../ports.ts';
import type { Prepare } from '../../preparation/types.ts';
import type { Manifest } from '../../upload/manifest.ts';
import type { Buffers } from '../../upload/part-buffers.ts';
import type { RetryContext } from '../retry/retry-policy.ts';
import { baseOf, type WorkItem } from '../work-item.ts';
import type { PostDeps } from './post.ts';

export interface StepDeps extends PostDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly buffers: Buffers;
  readonly prepare: Prepare;
  readonly manifest: (id: ItemId) => Manifest | null;
  /** The file was touched and is the same: what is known of it now replaces what was. */
  readonly saveManifest: (id: ItemId, manifest: Manifest) => void;
  /** Confirmed bytes, while parts are being sent. */
  readonly confirmed: (id: ItemId, receivedBytes: number) => void;
  /** What the service last said of an upload in this run; after a start or a crash it has to be asked. */
  readonly uploads: Map<UploadId, ResumableUpload>;
}

export type Outcome =
  | { readonly to: QueueItem; readonly manifest?: Manifest; readonly fulfilled?: Afterwards | null }
  /** The item stays, or falls back to `instead`; the upload that it leaves behind is `abandoned`. */
  | {
      readonly failure: Failure;
      readonly circumstance?: RetryContext;
      readonly instead?: QueueItem;
      readonly abandoned?: UploadId;
    };

/** The key of a request that must not happen twice. */
export const newKey = ({ random }: Pick<StepDeps, 'random'>) => random.uuid() as RequestKey;

/** Success: the failed tries and their trouble are over. */
export const smooth = (item: QueueItem) => ({ ...baseOf(item), attempts: 0, trouble: null });

/** The account is on record before the first request, so that no crash makes the item another account's. */
export const ownerOf = (item: QueueItem, { account }: Session) => ({ accountId: item.accountId ?? account.user.id });

/** What was made for sending is not there any more: it is made again. */
export const unprepared = (item: WorkItem): QueueItemIn<'queued'> => ({ ...baseOf(item), state: 'queued', body: null });

/** The end of the way: the service has published the item. */
export const linked = (item: QueueItem, content: QueueItemIn<'linked'>['content'], { clock }: StepDeps) => ({
  to: { ...smooth(item), state: 'linked' as const, content, linkedAt: clock.now(), deliveredAt: null },
});
