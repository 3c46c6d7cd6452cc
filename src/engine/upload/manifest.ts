/**
 * Hashes a file part by part into the manifest that a start request needs (API document, "start a resumable upload"),
 * and computes the fingerprint of a manifest.
 */
import { hash } from 'node:crypto';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import type { Sha256 } from '../../api/ids.ts';
import { LIMITS, partCount } from '../../api/limits.ts';
import { fingerprintText } from '../../api/upload.ts';
import type { Buffers } from './part-buffers.ts';
import type { OpenSource, SourceIdentity } from './upload-source.ts';

const HASH_BYTES = 32;

export interface Manifest {
  /** Identity of the file when it was hashed. */
  readonly identity: SourceIdentity;
  /** The SHA-256 of every part in order, 32 bytes each. */
  readonly hashes: Buffer;
}

export const partHash = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

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

/**
 * Reads the whole file once. The next part is read while one is hashed, so it uses two buffers and blocks the event
 * loop for at most one part (about 2 ms). Errors: those of `OpenSource.read`, CANCELLED.
 */
export const hashSource = async (
  source: OpenSource,
  buffers: Buffers,
  onHashed: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Result<Manifest>> => {
  const count = partCount(source.size);
  const hashes = Buffer.allocUnsafe(count * HASH_BYTES);
  const pair = [buffers.take(), buffers.take()] as const;
  const read = (index: number) => source.read(pair[index % 2 === 0 ? 0 : 1], index * LIMITS.partBytes);
  try {
    let upcoming = read(0);
    for (let index = 0; index < count; index++) {
      const part = await upcoming;
      if (!part.ok) return part;
      if (signal.aborted) return err(failure('CANCELLED', 'Hashing was cancelled.'));
      if (index + 1 < count) upcoming = read(index + 1);
      partHash(part.value).copy(hashes, index * HASH_BYTES);
      onHashed(part.value.byteLength);
    }
    return ok({ identity: source.identity, hashes });
  } finally {
    for (const buffer of pair) buffers.giveBack(buffer);
  }
};
