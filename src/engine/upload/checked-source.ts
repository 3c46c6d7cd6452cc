/**
 * Ties the check of a file that is sent unchanged to the bytes that are hashed later: the file may be edited in between.
 * Where the modification time proves nothing, all bytes are compared.
 */
import { ok, type Result } from '../../api/errors.ts';
import type { Sha256 } from '../../api/ids.ts';
import type { CheckedSource } from '../../ipc/protocol/queue-item.ts';
import { chunkHashes, fingerprintOf, type HashDeps, hashSource, type Manifest } from './manifest.ts';
import type { OpenSource } from './upload-source.ts';

const fingerprintAt = ({ size }: OpenSource, manifest: Manifest): Sha256 => fingerprintOf(size, chunkHashes(manifest));

/** Call before the check reads the file. Errors: those of `hashSource`. */
export const describeSource = async (
  source: OpenSource,
  deps: HashDeps,
  signal: AbortSignal,
): Promise<Result<CheckedSource>> => {
  if (source.isMtimeReliable) return ok({ by: 'identity', identity: source.identity });
  const manifest = await hashSource(source, deps, () => {}, signal);
  return manifest.ok ? ok({ by: 'bytes', fingerprint: fingerprintAt(source, manifest.value) }) : manifest;
};

/** Whether the hashed file is the one that was checked. */
export const isAsChecked = (checked: CheckedSource, source: OpenSource, manifest: Manifest): boolean =>
  checked.by === 'identity'
    ? checked.identity === manifest.identity
    : checked.fingerprint === fingerprintAt(source, manifest);
