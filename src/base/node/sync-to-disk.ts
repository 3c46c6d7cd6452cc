/** Syncs files and folders to disk, so that the bytes and the names of files survive a power cut. */
import { dirname } from 'node:path';
import { open } from './retrying-fs.ts';

/** Where folders cannot be synced, as on Windows, the file system does so itself. Does not reject. */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close().catch(() => {});
};

/** Syncs a finished file and its name. Rejects with the error of the file system where its bytes cannot be synced. */
export const syncWithName = async (path: string): Promise<void> => {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
  await syncFolder(dirname(path));
};
