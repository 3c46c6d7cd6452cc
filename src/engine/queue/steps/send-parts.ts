/**
 * Sends the parts of an item's file that the service does not have yet, but only while the file still equals the hashed
 * one.
 */

import { err, type Failure, ok, type Result } from '../../../api/errors.ts';
import { partCount } from '../../../api/limits.ts';
import type { ResumableUpload } from '../../../api/resumable-upload.ts';
import type { QueueItemIn } from '../../../ipc/protocol/queue-item.ts';
import type { Session } from '../../account/account-session.ts';
import { hashSource, type Manifest } from '../../upload/manifest.ts';
import { sendParts } from '../../upload/send-parts.ts';
import { changed, isLocked } from '../../upload/upload-source.ts';
import { sentPath } from '../queue-item-states.ts';
import { whileSending } from '../retry/retry-policy.ts';
import { isGone, nextFromUpload, readUpload, restartUpload, uploadFields } from './start-upload.ts';
import { type Outcome, refused, type StepDeps, unprepared, withoutError } from './step-outcome.ts';

export const send = async (
  item: QueueItemIn<'started'>,
  session: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  const upload = await readUpload(item, session, deps, signal);
  if (!upload.ok) return isGone(upload.error) ? restartUpload(item, deps) : { failure: upload.error };
  const { state, received, receivedBytes } = upload.value;
  const arrived = new Set(received);
  const missing = Array.from({ length: partCount(item.size) }, (_, index) => index).filter(
    (index) => !arrived.has(index),
  );
  if (state !== 'UPLOADING' || missing.length === 0) {
    return nextFromUpload(
      upload.value,
      { ...withoutError(item), state: 'sent', ...uploadFields(item, upload.value) },
      deps,
    );
  }
  // From here on parts change the service's state; after a failure it is read again.
  deps.uploads.delete(item.uploadId);

  const source = await deps.openSource(sentPath(item));
  if (!source.ok) {
    return item.body && !isLocked(source.error)
      ? { failure: source.error, context: 'settling', instead: unprepared(item), orphaned: item.uploadId }
      : changedOutcome(item, source.error.code === 'SOURCE_EMPTY' ? changed() : source.error);
  }
  try {
    const manifest = await trustedManifest(item, source.value, deps, signal);
    if (!manifest.ok) return changedOutcome(item, manifest.error);
    deps.live.begin(item.id, 'sending', item.size, receivedBytes);
    let last = upload.value;
    const job = {
      accountId: session.account.user.id,
      uploadId: item.uploadId,
      source: source.value,
      manifest: manifest.value,
      missing,
      onSent: (bytes: number) => deps.live.move(item.id, bytes),
      onConfirmed(now: ResumableUpload) {
        if (now.receivedBytes <= last.receivedBytes) return;
        last = now;
        deps.confirmed(item.id, now.receivedBytes);
      },
    };
    const sent = await sendParts({ ...session, ...deps }, job, signal);
    if (!sent.ok && isGone(sent.error)) return restartUpload(item, deps);
    if (!sent.ok && sent.error.code === 'SOURCE_CHANGED' && (await isOnlyTouched(item, deps, signal)))
      return { failure: sent.error, context: 'settling' };
    if (!sent.ok) return changedOutcome(item, sent.error);
    return nextFromUpload(last, { ...withoutError(item), state: 'sent', ...uploadFields(item, last) }, deps);
  } finally {
    await source.value.close();
    deps.live.end(item.id);
  }
};

/** The stored manifest, if the file is unchanged, or touched and equal in every part. */
const trustedManifest = async (
  item: QueueItemIn<'started'>,
  source: Parameters<typeof hashSource>[0],
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Result<Manifest>> => {
  const manifest = deps.manifest(item.id);
  if (!manifest || source.size !== item.size) return err(changed());
  if (manifest.identity === source.identity) return ok(manifest);
  return equalManifest(item, manifest, source, deps, signal);
};

/** The manifest with the file's current identity, if its bytes are unchanged. */
const equalManifest = async (
  item: QueueItemIn<'started'>,
  manifest: Manifest,
  source: Parameters<typeof hashSource>[0],
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Result<Manifest>> => {
  deps.live.begin(item.id, 'hashing', item.size, 0);
  const now = await hashSource(source, deps, (bytes) => deps.live.move(item.id, bytes), signal);
  if (!now.ok) return now;
  if (!now.value.hashes.equals(manifest.hashes)) return err(changed());
  deps.saveManifest(item.id, now.value);
  return now;
};

/** Keeps the confirmed parts where all bytes are unchanged: a modification time proves neither change nor equality. */
const isOnlyTouched = async (item: QueueItemIn<'started'>, deps: StepDeps, signal: AbortSignal): Promise<boolean> => {
  const source = await deps.openSource(sentPath(item));
  if (!source.ok) return false;
  const manifest = deps.manifest(item.id);
  const isEqual =
    manifest !== null &&
    source.value.size === item.size &&
    (await equalManifest(item, manifest, source.value, deps, signal)).ok;
  await source.value.close();
  return isEqual;
};

/** A changed file abandons its upload, and a retry starts with the current content. */
const changedOutcome = (item: QueueItemIn<'started'>, reason: Failure): Outcome =>
  reason.code === 'SOURCE_CHANGED'
    ? { failure: reason, instead: unprepared(item), orphaned: item.uploadId }
    : { ...refused(item, reason), context: whileSending(reason) };
