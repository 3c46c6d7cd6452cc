/**
 * Receives the body of one part of an upload: hashes it while it arrives, and aborts it when it stalls. Keeps the bytes
 * of a new part in a pooled buffer, and only hashes those of a repeated part.
 */

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LIMITS } from '../../api/limits.ts';
import { freeMemory } from '../free-buffer-memory.ts';
import { TOO_SLOW } from '../http/in-flight-requests.ts';
import { ProblemError } from '../problem-details.ts';

export interface LentBuffer {
  /** With old content; of no use to the borrower after `giveBack`. */
  readonly bytes: Buffer;
  /** Idempotent. */
  giveBack(): void;
}

export interface Buffers {
  /** A buffer of exactly `length` bytes, or null when all are lent. */
  lend(length: number): LentBuffer | null;
}

/** 128 MiB in flight: some twenty accounts at full speed. */
const USED_MAX = 64;
const POOL_MAX = 6;

/** A pool of reusable buffers of one part each, limited to the memory that the server can spare. */
export const createBuffers = (): Buffers => {
  const pool: Buffer[] = [];
  let used = 0;

  return {
    lend: (length) => {
      if (used >= USED_MAX) return null;
      used += 1;
      const buffer = pool.pop() ?? Buffer.allocUnsafeSlow(LIMITS.partBytes);
      let isLent = true;
      return {
        bytes: buffer.subarray(0, length),
        giveBack: () => {
          if (!isLent) return;
          isLent = false;
          used -= 1;
          if (pool.length < POOL_MAX) pool.push(buffer);
        },
      };
    },
  };
};

/** A replaced request may still finish, but not pause for longer than this. */
const REPLACED_STALL_MS = 1_000;

interface ReceivedBody {
  /** SHA-256 of the whole body. */
  readonly digest: Buffer;
  /** Null: the bytes were only hashed. */
  readonly bytes: Buffer | null;
}

interface PartBody {
  /** Rejects with UPLOAD_STALLED, with the reason of `abort`, or when the client disconnects. */
  readonly received: Promise<ReceivedBody>;
  /** Of a body that still arrives: gives the buffer back (the bytes are still hashed) and shortens the stall limit. */
  discard(): void;
  abort(reason: ProblemError): void;
}

/** Reads exactly the announced body of `raw` into `buffer`; null: the bytes are only hashed. */
export const receivePartBody = (
  raw: IncomingMessage,
  {
    length,
    buffer,
    stallMs,
  }: { readonly length: number; readonly buffer: LentBuffer | null; readonly stallMs: number },
): PartBody => {
  const hash = createHash('sha256');
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedBody>();
  let target = buffer;
  let at = 0;
  let lastByte = performance.now();
  let open = true;

  const onData = (chunk: Buffer): void => {
    stall.refresh();
    lastByte = performance.now();
    if (at + chunk.length > length) {
      fail(new ProblemError('INVALID_INPUT', 'The body is longer than announced.'));
      return;
    }
    if (target !== null) chunk.copy(target.bytes, at);
    at += chunk.length;
    hash.update(chunk);
    freeMemory(chunk);
  };
  const onEnd = (): void => {
    if (at === length) settle(() => resolve({ digest: hash.digest(), bytes: target?.bytes ?? null }));
    else onClose();
  };
  const onClose = (): void =>
    fail(new ProblemError('INVALID_INPUT', 'The body ended before all of the part had come.'));
  const onStall = (): void =>
    fail(
      new ProblemError('UPLOAD_STALLED', 'The part stopped arriving; send it again.', {
        connection: 'close-after-answer',
      }),
    );
  const settle = (answer: () => void): void => {
    open = false;
    clearTimeout(stall);
    raw.off('data', onData).off('end', onEnd).off('close', onClose).off(TOO_SLOW, fail);
    answer();
  };
  const fail = (reason: ProblemError): void => settle(() => reject(reason));

  let stall = setTimeout(onStall, stallMs);
  raw.on('data', onData).on('end', onEnd).on('close', onClose).on(TOO_SLOW, fail);

  return {
    received: promise,
    discard: () => {
      if (!open) return;
      target?.giveBack();
      target = null;
      clearTimeout(stall);
      stall = setTimeout(onStall, Math.max(0, REPLACED_STALL_MS - (performance.now() - lastByte)));
    },
    abort: fail,
  };
};
