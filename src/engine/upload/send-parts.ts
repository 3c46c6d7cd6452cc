/**
 * Sends the missing parts of an upload, several at once, and repeats interrupted ones; the service accepts only bytes
 * that match the hashes.
 */
import { err, type Failure, failure, ok, type Result, retryOf } from '../../api/errors.ts';
import type { AccountId, UploadId } from '../../api/ids.ts';
import { LIMITS } from '../../api/limits.ts';
import type { ResumableUpload } from '../../api/resumable-upload.ts';
import type { AdaptiveConcurrency } from '../api-client/adaptive-concurrency.ts';
import type { ServiceClient } from '../api-client/client.ts';
import type { Clock, Random } from '../ports.ts';
import { type Manifest, manifestHash, partHash } from './manifest.ts';
import type { Buffers } from './part-buffers.ts';
import { changed, type OpenSource } from './upload-source.ts';

export interface PartsDeps {
  readonly client: ServiceClient;
  readonly lanes: AdaptiveConcurrency;
  readonly buffers: Buffers;
  readonly clock: Clock;
  readonly random: Random;
}

export interface PartsJob {
  readonly accountId: AccountId;
  readonly uploadId: UploadId;
  readonly source: OpenSource;
  readonly manifest: Manifest;
  /** Numbers of the parts to send. */
  readonly missing: readonly number[];
  /** Bytes sent; negative when a part must be sent again. */
  readonly onSent: (bytes: number) => void;
  readonly onConfirmed: (upload: ResumableUpload) => void;
}

/** Immediate retries of an interrupted part; after that the whole item waits. */
const RESENDS = 2;
const RESEND_MS = 250;

/**
 * Resolves when every missing part is confirmed, or with the first failure once no request is in flight. On a temporary
 * error the other parts in flight complete; a refusal aborts them.
 */
export const sendParts = async (deps: PartsDeps, job: PartsJob, signal: AbortSignal): Promise<Result<void>> => {
  const left = [...job.missing];
  const end = new AbortController();
  const both = AbortSignal.any([signal, end.signal]);
  let failed: Failure | null = null;

  const work = async () => {
    while (left.length > 0 && !failed) {
      const entered = await deps.lanes.enter(both).then(
        () => true,
        () => false,
      );
      if (!entered) return;
      let confirmed = 0;
      try {
        const index = failed ? undefined : left.shift();
        if (index === undefined) return;
        const sent = await sendPart(deps, job, index, both);
        if (sent.ok) {
          confirmed = sent.value;
          continue;
        }
        if (sent.error.code === 'UPLOAD_USER_BUSY' && !failed && deps.lanes.narrow()) {
          left.unshift(index);
          continue;
        }
        failed ??= sent.error;
        if (!isPassing(sent.error)) end.abort();
      } finally {
        deps.lanes.leave(confirmed);
      }
    }
  };

  await Promise.all(Array.from({ length: LIMITS.partsAtOnce }, work));
  if (signal.aborted) return err(failure('CANCELLED', 'Sending was cancelled.'));
  return failed ? err(failed) : ok(undefined);
};

const isPassing = ({ code }: Failure): boolean => retryOf(code) === 'backoff' || retryOf(code) === 'wait';

/** Returns the bytes of the part. */
const sendPart = async (
  deps: PartsDeps,
  job: PartsJob,
  index: number,
  signal: AbortSignal,
): Promise<Result<number>> => {
  const buffer = deps.buffers.take();
  const part = await job.source.read(buffer, index * LIMITS.partBytes);
  if (!part.ok) {
    deps.buffers.giveBack(buffer);
    return part;
  }
  const bytes = part.value;
  for (let resend = 0; ; resend++) {
    const reply = await putPart(deps, job, index, bytes, signal);
    if (reply.ok) {
      // Confirmed means that the buffer was read completely. After a failure a socket may still use it.
      deps.buffers.giveBack(buffer);
      job.onConfirmed(reply.value);
      return ok(bytes.byteLength);
    }
    const { error } = reply;
    if (error.code === 'UPLOAD_PART_MISMATCH' && !partHash(bytes).equals(manifestHash(job.manifest, index))) {
      return err(changed());
    }
    const isInterrupted =
      error.code === 'NETWORK_FAILED' || error.code === 'UPLOAD_STALLED' || error.code === 'UPLOAD_PART_MISMATCH';
    if (!isInterrupted || resend === RESENDS || signal.aborted) return err(error);
    await deps.clock.sleep(RESEND_MS * 2 ** resend * (0.5 + deps.random.number()), signal).catch(() => {});
  }
};

const putPart = async (
  { client }: PartsDeps,
  job: PartsJob,
  index: number,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<Result<ResumableUpload>> => {
  let sent = 0;
  const reply = await client.call(
    'putPart',
    {
      params: { id: job.uploadId, index },
      headers: { 'x-service-account': job.accountId },
      bytes,
      onSent(count) {
        sent += count;
        job.onSent(count);
      },
    },
    signal,
  );
  if (reply.ok && reply.value.id === job.uploadId && reply.value.received.includes(index)) return reply;
  job.onSent(-sent);
  return reply.ok ? err(failure('NOT_THE_SERVICE', 'The reply to a part was about a different part.')) : reply;
};
