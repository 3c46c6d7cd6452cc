/**
 * Groups the states of a queue item: which items have work left, which are in a resumable upload, and the fields common
 * to all states. Also names the file that is sent, and builds the item that starts a lost upload again. Pure.
 */

import type { RequestKey } from '../../api/ids.ts';
import type { QueueItem, QueueItemIn, QueueState } from '../../ipc/protocol/queue-item.ts';

export type ItemBase = Omit<QueueItemIn<'queued'>, 'state'>;

/** The states that have work left. */
type WorkState = Exclude<QueueState, 'linked' | 'unreadable'>;
export type WorkItem = QueueItemIn<WorkState>;

/** The states of a resumable upload. */
export type UploadItem = QueueItemIn<'hashed' | 'started' | 'sent' | 'completing'>;

export const hasWork = (item: QueueItem): item is WorkItem => item.state !== 'linked' && item.state !== 'unreadable';

/** The path of the bytes that are sent. */
export const sentPath = ({ body, source }: QueueItem): string => body?.path ?? source.path;

/** Whether the file may change after its preparation has let it pass: the user's own, which is sent as it is. */
export const needsCheck = ({ job, source, body }: QueueItem): boolean =>
  job.kind === 'file' && source.owner === 'user' && body === null;

/** The fields common to all states; drops those of the current state. */
export const baseOf = (item: QueueItem): ItemBase => ({
  id: item.id,
  accountId: item.accountId,
  ...(item.meantFor && { meantFor: item.meantFor }),
  name: item.name,
  size: item.size,
  source: item.source,
  ...(item.origin && { origin: item.origin }),
  ...(item.isReviewed && { isReviewed: item.isReviewed }),
  ...(item.printPending && { printPending: item.printPending }),
  job: item.job,
  body: item.body,
  share: item.share,
  postPublish: item.postPublish,
  position: item.position,
  createdAt: item.createdAt,
  intent: item.intent,
  attempts: item.attempts,
  error: item.error,
});

/** The item before the key of its one request was made. */
export const beforePublishing = (item: QueueItemIn<'posting' | 'published'>): QueueItemIn<'queued' | 'prepared'> => ({
  ...baseOf(item),
  state: item.job.kind === 'note' ? 'queued' : 'prepared',
});

/** The item with a new upload for its hashes: the old upload is lost, so its keys must not be reused. */
export const freshStart = (item: UploadItem, startKey: RequestKey): QueueItemIn<'hashed'> => ({
  ...baseOf(item),
  state: 'hashed',
  fingerprint: item.fingerprint,
  startKey,
  attempts: item.attempts + 1,
});
