/**
 * Detects changes of a file during a single read or a read by another program. Where its modification time may be late,
 * its bytes are compared.
 */
import { createHash } from 'node:crypto';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { changed, type OpenSource } from './upload-source.ts';

export interface Watch {
  /** Errors: SOURCE_CHANGED, SOURCE_UNREADABLE, CANCELLED. */
  confirm(signal: AbortSignal): Promise<Result<void>>;
}

const SLICE_BYTES = 4 * 1024 * 1024;

/** Reads the whole file where its modification time is unreliable, and again to confirm. Errors: as `confirm`. */
export const watchSource = async (source: OpenSource, signal: AbortSignal): Promise<Result<Watch>> => {
  const before = await look(source, signal);
  if (!before.ok) return before;
  return ok({
    async confirm(asking) {
      const after = await look(source, asking);
      if (!after.ok) return after;
      return after.value === before.value ? ok(undefined) : err(changed());
    },
  });
};

/**
 * SHA-256 of all bytes, or an empty text where modification times are reliable; fails if the file has changed since it
 * was opened.
 */
const look = async (source: OpenSource, signal: AbortSignal): Promise<Result<string>> => {
  const digest = createHash('sha256');
  const end = source.isTimeTelling ? 1 : source.size;
  const slice = Buffer.allocUnsafe(Math.min(SLICE_BYTES, end));
  for (let at = 0; at < end; at += slice.length) {
    if (signal.aborted) return err(failure('CANCELLED', 'The file is no longer wanted.'));
    const read = await source.read(slice, at);
    if (!read.ok) return read;
    digest.update(read.value);
  }
  return ok(source.isTimeTelling ? '' : digest.digest('hex'));
};
