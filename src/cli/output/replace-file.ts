/** Writes a file of the user so that the earlier one stays until the new one is complete. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, lstat, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rename, rm } from '../../base/node/retrying-fs.ts';
import { syncFolder } from '../../base/node/sync-to-disk.ts';
import { isMissing } from '../../base/node/system-error.ts';

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
    throw error;
  }
  await syncFolder(dirname(target));
};
