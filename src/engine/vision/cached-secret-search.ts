/** Finds what looks secret in captures, and keeps in memory what it found in the latest ten. */
import { ok, type Result } from '../../api/errors.ts';
import { setBounded } from '../../base/common/bounded-map.ts';
import type { Redaction } from '../../ipc/protocol/vision.ts';
import { findSecretsInPicture } from './redact-picture.ts';
import type { VisionProcessClient } from './vision-process-client.ts';

/** The file of a capture is never changed. Errors: those of `VisionProcessClient.readThoroughly`. */
export type FindSecretsInCapture = (path: string, signal: AbortSignal) => Promise<Result<Redaction>>;

const KEPT_MAX = 10;

export const createFindSecretsInCapture = (
  vision: Pick<VisionProcessClient, 'readThoroughly'>,
): FindSecretsInCapture => {
  const kept = new Map<string, Redaction>();
  return async (path, signal) => {
    const before = kept.get(path);
    if (before) return ok(before);
    const found = await findSecretsInPicture(path, vision, signal);
    if (found.ok) setBounded(kept, path, found.value, KEPT_MAX);
    return found;
  };
};
