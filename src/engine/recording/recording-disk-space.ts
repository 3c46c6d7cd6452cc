/** Reads the free disk space, and computes how much a recording needs. */
import { statfs } from 'node:fs/promises';

/** Space reserved for the system and the queue. */
const SPARE_BYTES = 64 * 1024 ** 2;

/** Free bytes on the disk of a folder. */
export const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Bytes needed to record this many more: the segments are copied into one file at the end. */
export const bytesNeededFor = (recorded: number, more: number): number => recorded + 2 * more + SPARE_BYTES;
