/** Writes a file of the user so that the earlier one stays until the new one is complete, where its folder allows that. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, lstat, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rename, rm } from '../../base/node/retrying-fs.ts';
import { syncFolder } from '../../base/node/sync-to-disk.ts';
import { isMissing, isSystemError } from '../../base/node/system-error.ts';

/** By the folder: it takes no other file, or the file is the owner's or a mount point. */
const isRefused = (error: unknown): boolean =>
  isSystemError(error) && ['EACCES', 'EPERM', 'EROFS', 'EBUSY'].includes(error.code ?? '');

/** What fails in between gives the file its earlier text back, except an end of the process. */
const overwrite = async (path: string, text: string): Promise<void> => {
  const earlier = await readFile(path).catch(() => null);
  try {
    await writeFile(path, text, { flush: true });
  } catch (error) {
    if (earlier) await writeFile(path, earlier, { flush: true }).catch(() => {});
    throw error;
  }
};

/**
 * Writes the file, or replaces it where a link leads, with the mode that it has. Rejects with the error of the file
 * system, and then leaves the earlier file and nothing new.
 */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  const target = await realpath(path).catch(() => path);
  const earlier = await lstat(target).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  // A device or a pipe keeps nothing, and a link that leads nowhere has nothing to lose.
  if (earlier && !earlier.isFile()) return writeFile(target, text);
  // A file that may not be written is not replaced either.
  if (earlier) await access(target, constants.W_OK);
  const part = join(dirname(target), `.linkshot-${randomUUID()}.part`);
  try {
    await writeFile(part, text, { flag: 'wx', flush: true, ...(earlier && { mode: earlier.mode }) });
    if (earlier) await chmod(part, earlier.mode);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    if (earlier && isRefused(error)) return overwrite(target, text);
    throw error;
  }
  await syncFolder(dirname(target));
};
