/**
 * Cancels an item that may already be published, and returns that it is gone, that it stays published, or that its
 * state is still unknown. An upload that is completing is cancelled, and stays published if the service has completed
 * it; an item published in one request is found (a note by a search, others by repeating the request) and deleted, and
 * so is one whose link settings are not applied yet. Without the permission to delete, a published item is kept, and no
 * request is repeated. `canRemoveDirectly` returns whether an item needs none of this.
 */

import type { Content } from '../../../api/content.ts';
import { type Failure, failure, isOfService, isRefusedWith, retryOf } from '../../../api/errors.ts';
import type { QueueItem, QueueItemIn } from '../../../ipc/protocol/queue-item.ts';
import { mayDelete, type Session } from '../../account/account-session.ts';
import { type FindPublishedNoteDeps, findPublishedNote } from '../../note/find-published-note.ts';
import { findPublishedFile } from '../../upload/find-published-file.ts';
import { settle } from '../../upload/items-since.ts';
import { baseOf } from '../queue-item-states.ts';
import { type PostDeps, post } from './send-single-request.ts';
import { readUpload } from './start-upload.ts';
import type { StepDeps } from './step-outcome.ts';

/** Whether the item can be removed without a request; one that may be published requires a check. */
export const canRemoveDirectly = (item: QueueItem): boolean =>
  item.state !== 'completing' && item.state !== 'posting' && item.state !== 'published' && item.state !== 'linked';

export type CancelOutcome =
  | { readonly end: 'gone' }
  | { readonly end: 'published'; readonly item: QueueItemIn<'linked'> }
  /** Published, and the key lacks the permission to delete it. */
  | { readonly end: 'undeletable'; readonly content: Content; readonly failure: Failure }
  | { readonly end: 'unknown'; readonly failure: Failure };

/** Cancels the item at the service, or reports that its state is still unknown. */
export const cancelStep = async (
  item: QueueItem,
  session: Session,
  deps: PostDeps & Pick<StepDeps, 'uploads' | 'clock'>,
  signal: AbortSignal,
): Promise<CancelOutcome> => {
  switch (item.state) {
    case 'completing':
      return await cancelCompleting(item, session, deps, signal);
    case 'posting':
      if (item.isUnsent || deps.unsent.has(item.id)) return { end: 'gone' };
      return await (item.job.kind === 'note' ? cancelNote : cancelPost)(item, session, deps, signal);
    case 'published':
      return await deleteContent(item.content, session, signal);
    default:
      return { end: 'gone' };
  }
};

/** While the service is completing, its state is read again after this long. */
const POLL_MS = 1_000;

const cancelCompleting = async (
  item: QueueItemIn<'completing'>,
  session: Session,
  deps: Pick<StepDeps, 'uploads' | 'clock' | 'take'>,
  signal: AbortSignal,
): Promise<CancelOutcome> => {
  deps.uploads.delete(item.uploadId);
  const upload = await readUpload(item, session, deps, signal);
  if (!upload.ok) return isGone(upload.error) ? { end: 'gone' } : { end: 'unknown', failure: upload.error };
  const { state, content } = upload.value;
  switch (state) {
    case 'COMPLETED':
      if (!content || !deps.take(content.id, item.id)) return { end: 'gone' };
      return {
        end: 'published',
        item: {
          ...baseOf(item),
          error: null,
          state: 'linked',
          content,
          linkedAt: deps.clock.now(),
          deliveredAt: null,
        },
      };
    case 'CANCELLED':
    case 'EXPIRED':
      return { end: 'gone' };
    case 'COMPLETING':
    case 'UPLOADING': {
      const headers = { 'x-service-account': session.account.user.id };
      const reply = await session.client.call('cancelUpload', { params: { id: item.uploadId }, headers }, signal);
      if (reply.ok || isGone(reply.error)) return { end: 'gone' };
      if (!isRefusedWith(reply.error, 409)) return { end: 'unknown', failure: reply.error };
      const detail = 'The service is publishing the item; Linkshot waits for its final reply.';
      return { end: 'unknown', failure: failure('UPLOAD_SERVER_BUSY', detail, { afterMs: POLL_MS }) };
    }
  }
};

/**
 * A note is never posted to cancel it: it is searched for and deleted if it was published. Without its text it cannot
 * be found.
 */
const cancelNote = async (
  item: QueueItemIn<'posting'>,
  session: Session,
  deps: FindPublishedNoteDeps,
  signal: AbortSignal,
): Promise<CancelOutcome> => {
  const found = await findPublishedNote(item, session, deps, signal);
  if (!found.ok)
    return found.error.code === 'SOURCE_MISSING' ? { end: 'gone' } : { end: 'unknown', failure: found.error };
  return await deleteFound(found.value, session, signal);
};

/**
 * Whether a folder or a capture was published is known only after repeating the request with the same idempotency key;
 * then it is deleted. A refused request has published nothing. Where a proxy refuses its size, the item is searched for,
 * and its body is not sent again.
 */
const cancelPost = async (
  item: QueueItemIn<'posting'>,
  session: Session,
  deps: PostDeps,
  signal: AbortSignal,
): Promise<CancelOutcome> => {
  if (!mayDelete(session)) return await searchPost(item, session, deps, signal);
  const posted = await post(item, session, deps, signal);
  if (!posted.ok) {
    if (isRefusal(posted.error)) return { end: 'gone' };
    if (posted.error.code === 'UPLOAD_TOO_LARGE') return await searchPost(item, session, deps, signal);
    return { end: 'unknown', failure: posted.error };
  }
  if (posted.value === 'parts' || !deps.take(posted.value.content.id, item.id)) return { end: 'gone' };
  return await deleteContent(posted.value.content, session, signal);
};

/** Finds the item without a repeated request, which might publish what cannot be deleted, or does not arrive. */
const searchPost = async (
  item: QueueItemIn<'posting'>,
  session: Session,
  deps: PostDeps,
  signal: AbortSignal,
): Promise<CancelOutcome> => {
  const settled = await settle(deps.clock, signal);
  if (!settled.ok) return { end: 'unknown', failure: settled.error };
  const type = item.job.kind === 'folder' ? 'FOLDER' : 'IMAGE';
  const found = await findPublishedFile(item, session, deps, type, signal);
  if (!found.ok) return { end: 'unknown', failure: found.error };
  return await deleteFound(found.value, session, signal);
};

/** A permanent refusal by the service, or a missing body to repeat the request with. */
const isRefusal = (reason: Failure): boolean => {
  const { code } = reason;
  if (!isOfService(reason) || code === 'ACCOUNT_MISMATCH') return code === 'SOURCE_MISSING';
  return retryOf(code) === 'never' || retryOf(code) === 'user';
};

/** Null: the search has found that nothing was published. */
const deleteFound = async (found: Content | null, session: Session, signal: AbortSignal): Promise<CancelOutcome> =>
  found === null ? { end: 'gone' } : await deleteContent(found, session, signal);

/** Its link was not delivered yet, so the published item is deleted. */
const deleteContent = async (content: Content, { client }: Session, signal: AbortSignal): Promise<CancelOutcome> => {
  const reply = await client.call('deleteContent', { params: { id: content.id } }, signal);
  if (reply.ok || isGone(reply.error)) return { end: 'gone' };
  if (reply.error.code === 'SCOPE_MISSING') return { end: 'undeletable', content, failure: reply.error };
  return { end: 'unknown', failure: reply.error };
};

const isGone = ({ code }: Failure): boolean =>
  code === 'UPLOAD_GONE' || code === 'NOT_FOUND' || code === 'CONTENT_GONE' || code === 'SHARE_UNAVAILABLE';
