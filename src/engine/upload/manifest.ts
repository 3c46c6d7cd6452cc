/**
 * Hashes a file part by part into the manifest that a start request needs (API document, "start a resumable upload"),
 * and computes the fingerprint of a manifest.
 */
import { hash, subtle } from 'node:crypto';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { Sha256 } from '../../api/ids.ts';
import { LIMITS, partCount } from '../../api/limits.ts';
import { fingerprintText } from '../../api/resumable-upload.ts';
import type { Buffers } from './part-buffers.ts';
import type { OpenSource, SourceIdentity } from './upload-source.ts';

const HASH_BYTES = 32;
/** One less than libuv has threads: the last one is for files. */
const PARTS_AT_ONCE = 3;

export interface Manifest {
  /** Identity of the file when it was hashed. */
  readonly identity: SourceIdentity;
  /** The SHA-256 of every part in order, 32 bytes each. */
  readonly hashes: Buffer;
}

/** The SHA-256 of a part, 32 bytes. */
export type HashPart = (bytes: Uint8Array) => Promise<Uint8Array>;

export const partHash = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

/** On a thread of libuv: the event loop stays free. */
export const hashPartOnThread: HashPart = async (bytes) =>
  new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));

export const manifestHash = ({ hashes }: Manifest, index: number): Buffer =>
  hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);

export const chunkHashes = ({ hashes }: Manifest): Sha256[] =>
  Array.from(
    { length: hashes.byteLength / HASH_BYTES },
    (_, index) => hashes.toString('hex', index * HASH_BYTES, (index + 1) * HASH_BYTES) as Sha256,
  );

/** SHA-256 of `fingerprintText`. */
export const fingerprintOf = (size: number, hashes: readonly string[]): Sha256 =>
  hash('sha256', fingerprintText(size, hashes), 'hex') as Sha256;

export interface HashDeps {
  readonly buffers: Buffers;
  readonly hashPart: HashPart;
}

/**
 * Reads the whole file once and hashes up to `PARTS_AT_ONCE` parts at the same time.
 * `onHashed` gets the bytes of each part as it is done, in any order. Errors: those of `OpenSource.read`, CANCELLED.
 */
export const hashSource = async (
  source: OpenSource,
  { buffers, hashPart }: HashDeps,
  onHashed: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Result<Manifest>> => {
  const count = partCount(source.size);
  const hashes = Buffer.allocUnsafe(count * HASH_BYTES);
  let upcoming = 0;
  let failed: Result<never> | null = null;
  const hashParts = async (): Promise<void> => {
    const buffer = buffers.take();
    try {
      while (upcoming < count && failed === null && !signal.aborted) {
        const index = upcoming++;
        const part = await source.read(buffer, index * LIMITS.partBytes);
        if (!part.ok) failed ??= part;
        else {
          hashes.set(await hashPart(part.value), index * HASH_BYTES);
          onHashed(part.value.byteLength);
        }
      }
    } finally {
      buffers.giveBack(buffer);
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, PARTS_AT_ONCE) }, hashParts));
  if (signal.aborted) return err(failure('CANCELLED', 'Hashing was cancelled.'));
  return failed ?? ok({ identity: source.identity, hashes });
};
