/**
 * Completes an item's upload, which publishes the item once over all attempts: each attempt first learns the upload's
 * state, and where the service no longer knows the upload, the account's items are searched.
 */

import type { QueueItemIn } from '../../../ipc/protocol/queue-item.ts';
import type { Session } from '../../account/account-session.ts';
import { findPublishedFile } from '../../upload/find-published-file.ts';
import { isGone, nextFromUpload, readUpload, restartUpload, wrongUpload } from './start-upload.ts';
import { linked, type Outcome, refused, type StepDeps } from './step-outcome.ts';

export const complete = async (
  item: QueueItemIn<'completing'>,
  session: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  deps.live.begin(item.id, 'completing', item.size, item.size);
  try {
    // The outcome of an earlier attempt may be unknown: reading the upload reports it without publishing.
    const before = await readUpload(item, session, deps, signal);
    if (!before.ok)
      return isGone(before.error) ? await foundOrRestarted(item, session, deps, signal) : { failure: before.error };
    const { state } = before.value;
    if (state !== 'UPLOADING' && state !== 'COMPLETING') return nextFromUpload(before.value, item, deps);
    deps.uploads.delete(item.uploadId);

    const password = await deps.passwords.of(item.id);
    if (!password.ok) return { failure: password.error };
    const json = {
      completeKey: item.completeKey,
      ...item.share,
      ...(password.value !== null && { password: password.value }),
    };
    const headers = { 'x-service-account': session.account.user.id };
    const reply = await session.client.call('completeUpload', { params: { id: item.uploadId }, headers, json }, signal);
    if (reply.ok) {
      const { id, content } = reply.value;
      return id === item.uploadId && content ? linked(item, content, deps) : { failure: wrongUpload() };
    }
    if (isGone(reply.error)) return await foundOrRestarted(item, session, deps, signal);
    if (reply.error.code === 'UPLOAD_INCOMPLETE') {
      const { completeKey: _, ...fields } = item;
      return { failure: reply.error, instead: { ...fields, state: 'started' } };
    }
    if (reply.error.code === 'COMPLETE_CONFLICT') {
      // Completed with a key that this profile has lost. It is still this item's upload, so its result is used.
      const after = await readUpload(item, session, deps, signal);
      if (after.ok && after.value.state === 'COMPLETED') return nextFromUpload(after.value, item, deps);
    }
    return refused(item, reply.error);
  } finally {
    deps.live.end(item.id);
  }
};

/** The service forgets a completed upload after some days; a completion whose reply was lost may have published it. */
const foundOrRestarted = async (
  item: QueueItemIn<'completing'>,
  session: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  const found = await findPublishedFile(item, session, deps, null, signal);
  if (!found.ok) return { failure: found.error };
  return found.value === null ? restartUpload(item, deps) : linked(item, found.value, deps);
};
