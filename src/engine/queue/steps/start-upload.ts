/**
 * Starts and reads the item's upload and derives the next state from it. An upload that expired or was cancelled at the
 * service is restarted with the same hashes.
 */

import { err, type Failure, failure, isOfService, ok, type Result, unreachable } from '../../../api/errors.ts';
import { LIMITS } from '../../../api/limits.ts';
import type { ResumableUpload, StartUpload } from '../../../api/resumable-upload.ts';
import type { QueueItemIn } from '../../../ipc/protocol/queue-item.ts';
import type { Session } from '../../account/account-session.ts';
import { chunkHashes } from '../../upload/manifest.ts';
import { baseOf, freshStart, type UploadItem } from '../queue-item-states.ts';
import { linked, newKey, type Outcome, type StepDeps, unprepared, withoutError } from './step-outcome.ts';

export const start = async (
  item: QueueItemIn<'hashed'>,
  { client, account }: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  const manifest = deps.manifest(item.id);
  if (!manifest) return { to: { ...withoutError(item), state: 'prepared' } };
  deps.live.begin(item.id, 'waiting', item.size, 0);
  const body: StartUpload = {
    accountId: account.user.id,
    filename: [...(item.body?.name ?? item.name)].slice(0, LIMITS.filenameMaxCharacters).join(''),
    size: item.size,
    chunkSize: LIMITS.partBytes,
    chunkHashes: chunkHashes(manifest),
    fingerprint: item.fingerprint,
  };
  const headers = { 'idempotency-key': item.startKey, 'x-service-account': account.user.id };
  const reply = await client.call('startUpload', { headers, json: body }, signal);
  deps.live.end(item.id);
  if (!reply.ok) {
    const isSpent = reply.error.code === 'UPLOAD_GONE' || reply.error.code === 'IDEMPOTENCY_CONFLICT';
    if (isSpent) return restartUpload(item, deps);
    const isTooLarge = reply.error.code === 'UPLOAD_TOO_LARGE' && isOfService(reply.error);
    return { failure: reply.error, ...(isTooLarge && { instead: unprepared(item) }) };
  }
  const upload = reply.value;
  if (upload.fingerprint !== item.fingerprint || upload.size !== item.size) return { failure: wrongUpload() };
  // Attempts count until a part is confirmed: a service that loses every upload must not be requested in a tight loop.
  return nextFromUpload(upload, { ...baseOf(item), state: 'started', ...uploadFields(item, upload) }, deps);
};

export const uploadFields = (item: UploadItem, upload: ResumableUpload) => ({
  fingerprint: item.fingerprint,
  startKey: item.startKey,
  uploadId: upload.id,
  confirmedBytes: upload.receivedBytes,
});

export const wrongUpload = () =>
  failure('NOT_THE_SERVICE', 'The service replied about a different upload. Check the address and the network.');

/** Restarts the upload with the same hashes: immediately the first time, with backoff after that. */
export const restartUpload = (item: UploadItem, deps: StepDeps): Outcome => {
  const instead = freshStart(item, newKey(deps));
  if (item.attempts === 0) return { to: instead };
  return {
    failure: failure('INTERNAL', 'The service keeps losing the upload. It starts again from the beginning.'),
    instead,
  };
};

/** The outcome for the upload's state at the service; `openItem` is the item if the upload is still open. */
export const nextFromUpload = (
  upload: ResumableUpload,
  openItem: QueueItemIn<'started' | 'sent' | 'completing'>,
  deps: StepDeps,
): Outcome => {
  deps.uploads.set(upload.id, upload);
  switch (upload.state) {
    case 'UPLOADING':
    case 'COMPLETING':
      return { to: openItem };
    case 'COMPLETED':
      return upload.content ? linked(openItem, upload.content, deps) : { failure: wrongUpload() };
    case 'CANCELLED':
    case 'EXPIRED':
      return restartUpload(openItem, deps);
    default:
      return unreachable(upload.state);
  }
};

type OpenItem = QueueItemIn<'started' | 'sent' | 'completing'>;

/** The state of the item's upload: the last known one of this run, or read now. */
export const readUpload = async (
  item: OpenItem,
  { client, account }: Session,
  deps: Pick<StepDeps, 'uploads'>,
  signal: AbortSignal,
): Promise<Result<ResumableUpload>> => {
  const known = deps.uploads.get(item.uploadId);
  if (known) return ok(known);
  const headers = { 'x-service-account': account.user.id };
  const reply = await client.call('readUpload', { params: { id: item.uploadId }, headers }, signal);
  if (!reply.ok) return reply;
  return reply.value.id === item.uploadId && reply.value.fingerprint === item.fingerprint ? reply : err(wrongUpload());
};

export const isGone = ({ code }: Failure): boolean => code === 'UPLOAD_GONE' || code === 'NOT_FOUND';
