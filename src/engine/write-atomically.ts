/** Writes a small file of the app so that, also after a crash or a power cut, it is complete or as it was before. */
import { dirname } from 'node:path';
import { open, rename, renameSync, rm, writeFileSync } from '../base/node/retrying-fs.ts';
import { syncFolder } from '../base/node/sync-to-disk.ts';
import { UNFINISHED } from './spool-file-endings.ts';

/**
 * Writes the file, which only the user can read, or replaces it; it is on the disk when the promise resolves. Rejects
 * with the error of the file system, and then leaves nothing new. A killed process may leave `path` + `UNFINISHED`.
 */
export const writeAtomically = async (path: string, text: string): Promise<void> => {
  const unfinished = path + UNFINISHED;
  try {
    const file = await open(unfinished, 'w', 0o600);
    try {
      await file.writeFile(text, 'utf8');
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
};

/**
 * Blocking; a power cut right after it may restore the file as it was before, or empty it where `flush` is false. Throws
 * the error of the file system.
 */
export const writeAtomicallySync = (path: string, text: string, { flush = true } = {}): void => {
  const unfinished = path + UNFINISHED;
  writeFileSync(unfinished, text, { mode: 0o600, flush });
  renameSync(unfinished, path);
};
