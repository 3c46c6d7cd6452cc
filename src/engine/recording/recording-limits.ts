/**
 * Reads the free disk space, computes how much a recording needs, and builds the errors of recordings that cannot start
 * or that end by themselves.
 */
import { statfs } from 'node:fs/promises';
import { type Failure, failure } from '../../api/errors.ts';

/** Space reserved for the system and the queue. */
const SPARE_BYTES = 64 * 1024 ** 2;

/** Free bytes on the disk of a folder. */
export const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Bytes needed to record this many more: the segments are copied into one file at the end. */
export const hasSpaceFor = (recorded: number, more: number): number => recorded + 2 * more + SPARE_BYTES;

export const noSpace = (): Failure =>
  failure('DISK_FULL', 'There is not enough disk space for a recording. Free some space, then record again.', {
    params: { for: 'recording' },
  });

export const limitReached = (of: 'length' | 'size'): Failure =>
  failure('RECORDING_LIMIT', 'The recording reached the limit of your account and was stopped.', { params: { of } });

export const interrupted = (by: 'disk' | 'screen', why: string): Failure =>
  failure('RECORDING_INTERRUPTED', `The recording was interrupted. ${why} Everything recorded until then is saved.`, {
    params: { by },
  });
