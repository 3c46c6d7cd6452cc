/**
 * Runs a task that reads a file and makes something from it, and returns an error if the file has changed meanwhile.
 * Where the modification time proves nothing, the bytes are compared: on Windows, and for a file that was modified less
 * than three seconds ago.
 */
import { createHash } from 'node:crypto';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { changed, type OpenSource } from './upload-source.ts';

const SLICE_BYTES = 4 * 1024 * 1024;

/**
 * Runs `use`, which reads the file. Where `isMade` of its result, fails unless the file is the same before and after.
 * Errors: those of `use`, SOURCE_CHANGED, SOURCE_UNREADABLE, CANCELLED.
 */
export const failOnFileChange = async <T>(
  source: OpenSource,
  use: () => Promise<Result<T>>,
  signal: AbortSignal,
  isMade: (used: T) => boolean = () => true,
): Promise<Result<T>> => {
  const before = await fingerprint(source, signal);
  if (!before.ok) return before;
  const used = await use();
  if (!used.ok || !isMade(used.value)) return used;
  const after = await fingerprint(source, signal);
  if (!after.ok) return after;
  return after.value === before.value ? used : err(changed());
};

/**
 * SHA-256 of all bytes, or an empty text where modification times are reliable; fails if the file has changed since it
 * was opened.
 */
const fingerprint = async (source: OpenSource, signal: AbortSignal): Promise<Result<string>> => {
  const digest = createHash('sha256');
  const end = source.isMtimeReliable ? 1 : source.size;
  const slice = Buffer.allocUnsafe(Math.min(SLICE_BYTES, end));
  for (let at = 0; at < end; at += slice.length) {
    if (signal.aborted) return err(failure('CANCELLED', 'Reading the file was cancelled.'));
    const read = await source.read(slice, at);
    if (!read.ok) return read;
    digest.update(read.value);
  }
  return ok(source.isMtimeReliable ? '' : digest.digest('hex'));
};
