/**
 * One step of an item: from the facts of its state to those of the next. A step decides nothing about when it runs and
 * stores nothing itself; running it again after a crash, at any instant, leads to the same one published item.
 */

import type { Afterwards } from '../../contract/app/link-settings.ts';
import type { QueueItem, QueueItemIn } from '../../contract/app/queue-item.ts';
import { err, type Failure, failure, ok, type Result, unreachable } from '../../contract/errors.ts';
import type { ItemId, RequestKey, UploadId } from '../../contract/ids.ts';
import { LIMITS, partCount } from '../../contract/service/limits.ts';
import type { ResumableUpload, StartUpload } from '../../contract/service/upload.ts';
import type { Session } from '../account/session.ts';
import type { Clock, Random } from '../ports.ts';
import type { Prepare } from '../preparation.ts';
import type { Buffers } from '../upload/buffers.ts';
import { chunkHashes, fingerprintOf, hashSource, type Manifest } from '../upload/manifest.ts';
import { sendParts } from '../upload/parts.ts';
import { changed, isLocked } from '../upload/source.ts';
import { isSentWhole } from '../upload/whole.ts';
import { baseOf, freshStart, sentPath, type UploadItem, type WorkItem } from './item.ts';
import { type PostDeps, post } from './post.ts';
import type { Circumstance } from './trouble.ts';

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
      readonly circumstance?: Circumstance;
      readonly instead?: QueueItem;
      readonly abandoned?: UploadId;
    };

/** Runs the step of the item's state. Network failures, refusals and changed files are outcomes; only bugs throw. */
export const step = (item: WorkItem, session: Session, deps: StepDeps, signal: AbortSignal): Promise<Outcome> => {
  switch (item.state) {
    case 'queued':
      return item.job.kind === 'note'
        ? Promise.resolve(beginPost(item, session, deps))
        : prepare(item, session, deps, signal);
    case 'prepared':
      return item.job.kind === 'folder' || isSentWhole(item)
        ? Promise.resolve(beginPost(item, session, deps))
        : hash(item, session, deps, signal);
    case 'hashed':
      return start(item, session, deps, signal);
    case 'started':
      return send(item, session, deps, signal);
    case 'sent':
      return Promise.resolve({ to: { ...item, state: 'completing', completeKey: key(deps) } });
    case 'completing':
      return complete(item, session, deps, signal);
    case 'posting':
      return publish(item, session, deps, signal);
    case 'published':
      return fulfil(item, session, deps, signal);
    default:
      return unreachable(item);
  }
};

const key = ({ random }: StepDeps) => random.uuid() as RequestKey;

/** Success: the failed tries and their trouble are over. */
const smooth = (item: QueueItem) => ({ ...baseOf(item), attempts: 0, trouble: null });

/** Before anything is sent, a file that is being written anew, or that a virus scanner holds, is simply looked at again. */
const circumstanceOf = (reason: Failure): Circumstance =>
  isOtherContent(reason) || isLocked(reason) ? 'settling' : 'plain';

/** Whoever writes a file anew empties it first. */
const isOtherContent = ({ code }: Failure): boolean => code === 'SOURCE_CHANGED' || code === 'SOURCE_EMPTY';

/** Later on, too, a scanner lets go of a file by itself. */
const lockedOr = (reason: Failure): Circumstance => (isLocked(reason) ? 'settling' : 'plain');

/** The account is on record before the first request, so that no crash makes the item another account's. */
const ownerOf = (item: QueueItem, { account }: Session) => ({ accountId: item.accountId ?? account.user.id });

const prepare = async (
  item: QueueItemIn<'queued'>,
  session: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  let done = 0;
  const onProgress = (share: number) => {
    const bytes = Math.round(share * item.size);
    deps.live.move(item.id, bytes - done);
    done = bytes;
  };
  deps.live.begin(item.id, 'preparing', item.size, 0);
  try {
    const body = await deps.prepare(item, { account: session.account, onProgress }, signal);
    if (!body.ok) return { failure: body.error, circumstance: circumstanceOf(body.error) };
    const size = body.value?.size ?? item.size;
    return { to: { ...smooth(item), ...ownerOf(item, session), state: 'prepared', body: body.value, size } };
  } finally {
    deps.live.end(item.id);
  }
};

const beginPost = (item: WorkItem, session: Session, deps: StepDeps): Outcome => {
  deps.unsent.add(item.id);
  return { to: { ...smooth(item), ...ownerOf(item, session), state: 'posting', requestKey: key(deps) } };
};

/** What was made for sending is not there any more: it is made again. */
const unprepared = (item: WorkItem): QueueItemIn<'queued'> => ({ ...baseOf(item), state: 'queued', body: null });

const hash = async (
  item: QueueItemIn<'prepared' | 'posting'>,
  session: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  const source = await deps.openSource(sentPath(item));
  if (!source.ok) {
    return item.body && !isLocked(source.error)
      ? { failure: source.error, circumstance: 'settling', instead: unprepared(item) }
      : { failure: source.error, circumstance: circumstanceOf(source.error) };
  }
  const { size } = source.value;
  try {
    if (size > LIMITS.maxResumableBytes) {
      const detail = 'The file is larger than the service takes.';
      return { failure: failure('UPLOAD_TOO_LARGE', detail, { params: { limitBytes: LIMITS.maxResumableBytes } }) };
    }
    deps.live.begin(item.id, 'hashing', size, 0);
    const manifest = await hashSource(source.value, deps.buffers, (bytes) => deps.live.move(item.id, bytes), signal);
    if (!manifest.ok) return { failure: manifest.error, circumstance: circumstanceOf(manifest.error) };
    const fingerprint = fingerprintOf(size, chunkHashes(manifest.value));
    const owned = { ...smooth(item), ...ownerOf(item, session) };
    return { to: { ...owned, size, state: 'hashed', fingerprint, startKey: key(deps) }, manifest: manifest.value };
  } finally {
    await source.value.close();
    deps.live.end(item.id);
  }
};

const start = async (
  item: QueueItemIn<'hashed'>,
  { client, account }: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  const manifest = deps.manifest(item.id);
  if (!manifest) return { to: { ...smooth(item), state: 'prepared' } };
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
    return isSpent ? again(item, deps) : { failure: reply.error };
  }
  const upload = reply.value;
  if (upload.fingerprint !== item.fingerprint || upload.size !== item.size) return { failure: notOurs() };
  // Tries are counted on until a part is confirmed: a service that forgets every upload must not be asked without end.
  return meet(upload, { ...baseOf(item), state: 'started', ...factsOf(item, upload) }, deps);
};

const factsOf = (item: UploadItem, upload: ResumableUpload) => ({
  fingerprint: item.fingerprint,
  startKey: item.startKey,
  uploadId: upload.id,
  confirmedBytes: upload.receivedBytes,
});

const notOurs = () =>
  failure('NOT_THE_SERVICE', 'The service answered about another upload. Check the address and the network.');

/** A new upload with the same hashes; the first one at once, more of them in a row not before a while. */
const again = (item: UploadItem, deps: StepDeps): Outcome => {
  const instead = freshStart(item, key(deps));
  if (item.attempts === 0) return { to: instead };
  return { failure: failure('INTERNAL', 'The service keeps forgetting the upload. It is begun anew.'), instead };
};

/** Where the item stands by what the service says of its upload; `going` is the item if the upload is still open. */
const meet = (
  upload: ResumableUpload,
  going: QueueItemIn<'started' | 'sent' | 'completing'>,
  deps: StepDeps,
): Outcome => {
  deps.uploads.set(upload.id, upload);
  switch (upload.state) {
    case 'UPLOADING':
    case 'COMPLETING':
      return { to: going };
    case 'COMPLETED':
      return upload.content ? linked(going, upload.content, deps) : { failure: notOurs() };
    case 'CANCELLED':
    case 'EXPIRED':
      return again(going, deps);
    default:
      return unreachable(upload.state);
  }
};

const linked = (item: QueueItem, content: QueueItemIn<'linked'>['content'], { clock }: StepDeps) => ({
  to: { ...smooth(item), state: 'linked' as const, content, linkedAt: clock.now(), deliveredAt: null },
});

type OpenItem = QueueItemIn<'started' | 'sent' | 'completing'>;

/** The service's word on the item's upload: the last one of this run, or asked now. */
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
  return reply.value.id === item.uploadId && reply.value.fingerprint === item.fingerprint ? reply : err(notOurs());
};

const isGone = ({ code }: Failure): boolean => code === 'UPLOAD_GONE' || code === 'NOT_FOUND';

const send = async (
  item: QueueItemIn<'started'>,
  session: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  const upload = await readUpload(item, session, deps, signal);
  if (!upload.ok) return isGone(upload.error) ? again(item, deps) : { failure: upload.error };
  const { state, received, receivedBytes } = upload.value;
  const arrived = new Set(received);
  const missing = Array.from({ length: partCount(item.size) }, (_, index) => index).filter(
    (index) => !arrived.has(index),
  );
  if (state !== 'UPLOADING' || missing.length === 0) {
    return meet(upload.value, { ...smooth(item), state: 'sent', ...factsOf(item, upload.value) }, deps);
  }
  // From here on parts change what the service knows; after a failure it is asked again.
  deps.uploads.delete(item.uploadId);

  const source = await deps.openSource(sentPath(item));
  if (!source.ok) {
    return item.body && !isLocked(source.error)
      ? { failure: source.error, circumstance: 'settling', instead: unprepared(item), abandoned: item.uploadId }
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
    if (!sent.ok) return isGone(sent.error) ? again(item, deps) : changedOutcome(item, sent.error);
    return meet(last, { ...smooth(item), state: 'sent', ...factsOf(item, last) }, deps);
  } finally {
    await source.value.close();
    deps.live.end(item.id);
  }
};

/** The stored manifest, if the file is still the one it was made of: untouched, or touched and equal in every part. */
const trustedManifest = async (
  item: QueueItemIn<'started'>,
  source: Parameters<typeof hashSource>[0],
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Result<Manifest>> => {
  const manifest = deps.manifest(item.id);
  if (!manifest || source.size !== item.size) return err(changed());
  if (manifest.identity === source.identity) return ok(manifest);
  deps.live.begin(item.id, 'hashing', item.size, 0);
  const now = await hashSource(source, deps.buffers, (bytes) => deps.live.move(item.id, bytes), signal);
  if (!now.ok) return now;
  if (!now.value.hashes.equals(manifest.hashes)) return err(changed());
  deps.saveManifest(item.id, now.value);
  return now;
};

/** A changed file is another file: its upload is given up, and a retry begins with the content it has then. */
const changedOutcome = (item: QueueItemIn<'started'>, reason: Failure): Outcome =>
  reason.code === 'SOURCE_CHANGED'
    ? { failure: reason, instead: unprepared(item), abandoned: item.uploadId }
    : { failure: reason, circumstance: lockedOr(reason) };

const complete = async (
  item: QueueItemIn<'completing'>,
  session: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  deps.live.begin(item.id, 'completing', item.size, item.size);
  try {
    // The result of an earlier try may be unknown: the status says it without publishing anything.
    const before = await readUpload(item, session, deps, signal);
    if (!before.ok) return isGone(before.error) ? again(item, deps) : { failure: before.error };
    const { state } = before.value;
    if (state !== 'UPLOADING' && state !== 'COMPLETING') return meet(before.value, item, deps);
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
      return id === item.uploadId && content ? linked(item, content, deps) : { failure: notOurs() };
    }
    if (isGone(reply.error)) return again(item, deps);
    if (reply.error.code === 'UPLOAD_INCOMPLETE') {
      const { completeKey: _, ...facts } = item;
      return { failure: reply.error, instead: { ...facts, state: 'started' } };
    }
    if (reply.error.code === 'COMPLETE_CONFLICT') {
      // Completed with a key that this profile has lost. It is still this item's upload: its result is taken.
      const after = await readUpload(item, session, deps, signal);
      if (after.ok && after.value.state === 'COMPLETED') return meet(after.value, item, deps);
    }
    return { failure: reply.error };
  } finally {
    deps.live.end(item.id);
  }
};

/** Sets on the published item what publishing could not carry. Doing it again changes nothing more. */
const fulfil = async (
  item: QueueItemIn<'published'>,
  { client }: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { afterwards: fulfilled, content } = item;
  if (fulfilled === null) return linked(item, content, deps);
  deps.live.begin(item.id, 'completing', item.size, item.size);
  const reply = await client.call('updateContent', { params: { id: content.id }, json: fulfilled }, signal);
  deps.live.end(item.id);
  return reply.ok ? { ...linked(item, reply.value, deps), fulfilled } : { failure: reply.error };
};

/** Its key has made something that was deleted since, or the folder is refused as it is: trying again begins anew. */
const beginsAnew = ({ job }: QueueItem, { code }: Failure): boolean =>
  code === 'CONTENT_GONE' ||
  code === 'UPLOAD_TOO_LARGE' ||
  (job.kind !== 'file' && (code === 'SOURCE_MISSING' || code.startsWith('FOLDER_')));

const publish = async (
  item: QueueItemIn<'posting'>,
  session: Session,
  deps: StepDeps,
  signal: AbortSignal,
): Promise<Outcome> => {
  const published = await post(item, session, deps, signal);
  if (!published.ok)
    return { failure: published.error, ...(beginsAnew(item, published.error) && { instead: unprepared(item) }) };
  if (published.value === 'parts') {
    // Should the file not be readable just now, it is known again that nothing was published.
    deps.unsent.add(item.id);
    return hash(item, session, deps, signal);
  }
  return linked({ ...item, body: published.value.body }, published.value.content, deps);
};
