/**
 * Defines the dependencies and the outcome that all steps of the upload queue share. Also has helpers that create
 * idempotency keys and build the next state of an item.
 */

import type { Content } from '../../../api/content.ts';
import { type Failure, failure, isOverTypeLimit } from '../../../api/errors.ts';
import type { ItemId, RequestKey, UploadId } from '../../../api/ids.ts';
import type { ResumableUpload } from '../../../api/resumable-upload.ts';
import type { PostPublishSettings } from '../../../ipc/protocol/link-settings.ts';
import type { QueueItem, QueueItemIn } from '../../../ipc/protocol/queue-item.ts';
import type { Session } from '../../account/account-session.ts';
import type { Clock, Random } from '../../ports.ts';
import type { HashPart, Manifest } from '../../upload/manifest.ts';
import type { Buffers } from '../../upload/part-buffers.ts';
import type { Prepare } from '../../upload/preparation-types.ts';
import { baseOf, beforePublishing, freshStart, type WorkItem } from '../queue-item-states.ts';
import type { RetryContext } from '../retry/retry-policy.ts';
import type { PostDeps } from './send-single-request.ts';

export interface StepDeps extends PostDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly buffers: Buffers;
  readonly hashPart: HashPart;
  readonly prepare: Prepare;
  readonly manifest: (id: ItemId) => Manifest | null;
  /** The file's identity changed but not its bytes: stores the new identity. */
  readonly saveManifest: (id: ItemId, manifest: Manifest) => void;
  /** Called with the confirmed bytes while parts are sent. */
  readonly confirmed: (id: ItemId, receivedBytes: number) => void;
  /** Last known state of uploads in this run; unknown ones are read from the service. */
  readonly uploads: Map<UploadId, ResumableUpload>;
}

export type Outcome =
  | { readonly to: QueueItem; readonly manifest?: Manifest; readonly applied?: PostPublishSettings | null }
  /** The item keeps its state or falls back to `instead`; `orphaned` is the upload that it leaves at the service. */
  | {
      readonly failure: Failure;
      readonly context?: RetryContext;
      readonly instead?: QueueItem;
      readonly orphaned?: UploadId;
    };

/** Idempotency key of a request. */
export const newKey = ({ random }: Pick<StepDeps, 'random'>) => random.uuid() as RequestKey;

/** Clears the attempts and the error after a success. */
export const withoutError = (item: QueueItem) => ({ ...baseOf(item), attempts: 0, error: null });

/** The account is persisted before the first request, so that no crash moves the item to another account. */
export const ownerOf = (item: QueueItem, { account }: Session) => ({ accountId: item.accountId ?? account.user.id });

/** The item starts over: its prepared body is missing, its file has changed, or its request was refused for good. */
export const unprepared = (item: WorkItem): QueueItemIn<'queued'> => ({ ...baseOf(item), state: 'queued', body: null });

/**
 * The outcome of an error of the service about an upload. The limits may be lower than at the preparation: a file over
 * one of them is prepared again when the user retries.
 */
export const refused = (item: QueueItemIn<'started' | 'completing'>, reason: Failure): Outcome =>
  isOverTypeLimit(reason.code)
    ? { failure: reason, instead: unprepared(item), orphaned: item.uploadId }
    : { failure: reason };

type PublishingItem = QueueItemIn<'started' | 'sent' | 'completing' | 'posting' | 'published'>;

/**
 * Final outcome: the service has published the item. If a search has taken the published item for an equal one of the
 * queue, that one keeps it, and this one is published again with new keys.
 */
export const linked = (item: PublishingItem, content: Content, deps: StepDeps): Outcome => {
  if (deps.take(content.id, item.id))
    return {
      to: { ...withoutError(item), state: 'linked', content, linkedAt: deps.clock.now(), deliveredAt: null },
    };
  return {
    failure: failure('INTERNAL', 'An equal item has the link of this one; Linkshot publishes this one again.'),
    instead: 'uploadId' in item ? freshStart(item, newKey(deps)) : beforePublishing(item),
  };
};
