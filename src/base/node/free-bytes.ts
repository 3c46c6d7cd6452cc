/** Reads the free space of a disk. */
import { statfs } from 'node:fs/promises';

/** Bytes that are free for this user on the disk of a folder. Throws as `statfs` does. */
export const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};
