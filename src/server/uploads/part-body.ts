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

export interface Buffers {
  /** A buffer of exactly `length` bytes with old content, or null when all are in use. */
  acquire(length: number): Buffer | null;
  release(buffer: Buffer): void;
}

/** 128 MiB in flight: some twenty accounts at full speed. */
const USED_MAX = 64;
const POOL_MAX = 6;

/** A pool of reusable buffers of one part each, limited to the memory that the server can spare. */
export const createBuffers = (): Buffers => {
  const pool: Buffer[] = [];
  let used = 0;

  return {
    acquire: (length) => {
      if (used >= USED_MAX) return null;
      used += 1;
      const buffer = pool.pop() ?? Buffer.allocUnsafeSlow(LIMITS.partBytes);
      return buffer.subarray(0, length);
    },
    release: (buffer) => {
      used -= 1;
      if (pool.length < POOL_MAX) pool.push(Buffer.from(buffer.buffer));
    },
  };
};

/** A replaced request may still finish, but not pause for longer than this. */
const REPLACED_STALL_MS = 1_000;

interface PartBody {
  /**
   * SHA-256 of the whole body. Rejects with UPLOAD_STALLED, with the reason of `abort`, or when the client disconnects.
   */
  readonly received: Promise<Buffer>;
  /** Discards the bytes (they are still hashed) and shortens the stall limit. */
  discard(): void;
  abort(reason: ProblemError): void;
}

/** Reads exactly the announced body of `raw` into `buffer`; null: the bytes are only hashed. */
export const receivePartBody = (
  raw: IncomingMessage,
  { length, buffer, stallMs }: { readonly length: number; readonly buffer: Buffer | null; readonly stallMs: number },
): PartBody => {
  const hash = createHash('sha256');
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
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
    if (target !== null) chunk.copy(target, at);
    at += chunk.length;
    hash.update(chunk);
    freeMemory(chunk);
  };
  const onEnd = (): void => {
    if (at === length) settle(() => resolve(hash.digest()));
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
      target = null;
      clearTimeout(stall);
      stall = setTimeout(onStall, Math.max(0, REPLACED_STALL_MS - (performance.now() - lastByte)));
    },
    abort: fail,
  };
};
