/** Finds what looks secret in captures, and remembers it for the captures that were read last. */
import type { Result } from '../../api/errors.ts';
import type { Redaction } from '../../ipc/protocol/vision.ts';
import { findInPicture } from './redact-picture.ts';
import type { VisionService } from './vision-service.ts';

/** The file of a capture is never changed. Errors: those of `VisionService.readThoroughly`. */
export type FindSecretsInCapture = (path: string, signal: AbortSignal) => Promise<Result<Redaction>>;

const KEPT_MAX = 10;

export const createFindSecretsInCapture = (vision: Pick<VisionService, 'readThoroughly'>): FindSecretsInCapture => {
  const kept = new Map<string, Redaction>();
  return async (path, signal) => {
    const before = kept.get(path);
    if (before) return { ok: true, value: before };
    const found = await findInPicture(path, vision, signal);
    if (!found.ok) return found;
    kept.set(path, found.value);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return found;
  };
};
