/** Syncs a folder to disk, so that the names of the files in it survive a power cut. */
import { open } from './retrying-fs.ts';

/** Where folders cannot be synced, as on Windows, the file system does so itself. Does not reject. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close().catch(() => {});
};
