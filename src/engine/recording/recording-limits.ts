/** What ends a recording by itself, or lets none begin, in words; and the room on the disk that one needs. */
import { statfs } from 'node:fs/promises';
import { type Failure, failure } from '../../api/errors.ts';

/** What the system and the queue need besides. */
const SPARE_BYTES = 64 * 1024 ** 2;

/** Bytes that are free where a folder lies. */
export const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** To record so many bytes more: they are put together into a copy of everything at the end. */
export const hasSpaceFor = (recorded: number, more: number): number => recorded + 2 * more + SPARE_BYTES;

export const noSpace = (): Failure =>
  failure('DISK_FULL', 'There is not enough room on the disk for a recording. Free some space, then record again.', {
    params: { for: 'recording' },
  });

export const limitReached = (of: 'length' | 'size'): Failure =>
  failure('RECORDING_LIMIT', 'The recording reached what your account allows, and ended there.', { params: { of } });

export const brokenOff = (by: 'disk' | 'screen', why: string): Failure =>
  failure('RECORDING_INTERRUPTED', `The recording broke off: ${why} What was recorded is kept.`, { params: { by } });
