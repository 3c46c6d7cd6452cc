/**
 * Reads a file of a folder into memory, so that the caller checks and sends the same bytes. If it may have changed
 * meanwhile, reads it again, up to three reads in all; the last one is returned even if the file still changes. Refuses
 * special files, files that are too large and, except on Windows, a link that has replaced the file.
 */
import { close, constants, fstat, open, read, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { LIMITS } from '../../api/limits.ts';
import { retryWhileInUse } from '../../base/node/retrying-fs.ts';
import type { ExclusionReason } from '../../common/folder/folder-preview.ts';
import { type FileTimes, isMtimeReliable } from '../upload/upload-source.ts';

// A handle of `fs/promises` costs several times as much as reading a small file.
const calls = { open: promisify(open), fstat: promisify(fstat), read: promisify(read), close: promisify(close) };

/** Does not follow a link that has replaced the file, and does not block on a pipe. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A file that changes during the read is read again; after this many attempts the last read counts. */
const READS = 3;

export type ReadFile =
  | { readonly bytes: Buffer }
  | {
      readonly stays: Extract<ExclusionReason, 'large' | 'link' | 'special' | 'unreadable'>;
      /** Why it is unreadable, with the path of the file. */
      readonly error?: NodeJS.ErrnoException;
    };

const unreadable = (path: string, error: unknown): ReadFile => ({
  stays: 'unreadable',
  // Node names no file of which only the reading fails.
  error: Object.assign(error as NodeJS.ErrnoException, { path }),
});

const isSame = (a: Stats, b: Stats): boolean => a.size === b.size && a.mtimeMs === b.mtimeMs;

/** Reads up to one byte more than a folder accepts, which is enough to detect a file that is too large. */
const readUpToLimit = async (file: number, size: number): Promise<Buffer> => {
  const into = Buffer.allocUnsafeSlow(Math.min(size, LIMITS.folderFileBytes) + 1);
  let filled = 0;
  // A file that grew meanwhile is detected by its size afterwards, not by reading on.
  while (filled < into.length && (filled < size || size === 0)) {
    const { bytesRead } = await calls.read(file, into, filled, into.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return into.subarray(0, filled);
};

/** Without `times` no modification time is trusted: then only two equal reads count as the file. */
export const readStableFile = async (path: string, times: FileTimes | null = null): Promise<ReadFile> => {
  let file: number;
  try {
    file = await retryWhileInUse(() => calls.open(path, FLAGS));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ELOOP' ? { stays: 'link' } : unreadable(path, error);
  }
  try {
    let stats = await calls.fstat(file);
    if (!stats.isFile()) return { stays: 'special' };
    let before: Buffer | null = null;
    for (let reads = 1; ; reads += 1) {
      const bytes = await readUpToLimit(file, stats.size);
      if (bytes.length > LIMITS.folderFileBytes) return { stays: 'large' };
      const after = await calls.fstat(file);
      const isUnchanged = isSame(stats, after) && bytes.length === after.size;
      const isReliable =
        isUnchanged && ((times && isMtimeReliable(after.mtimeMs, times)) || before?.equals(bytes) === true);
      if (isReliable || reads === READS) return { bytes };
      before = isUnchanged ? bytes : null;
      stats = after;
    }
  } catch (error) {
    return unreadable(path, error);
  } finally {
    await calls.close(file).catch(() => {});
  }
};
