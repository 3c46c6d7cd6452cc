/** Copies a finished temporary file to a path that the user has chosen; never replaces a file. */

import { constants } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { err, type Failure, failure, ok, type Result } from '../api/errors.ts';
import { rm } from '../base/node/retrying-fs.ts';
import { diskFull, isDiskFull } from '../common/disk-full.ts';

/** Of a file of the user, as other programs create it. */
const MODE = 0o644;

const saveFailure = (error: NodeJS.ErrnoException, path: string): Failure => {
  const [name, folder] = [basename(path), dirname(path)];
  if (isDiskFull(error)) return diskFull();
  switch (error.code) {
    case 'EEXIST':
      return failure('SAVE_FAILED', `${name} already exists. Choose another name; nothing was replaced.`);
    case 'ENOENT':
    case 'ENOTDIR':
      return failure('SAVE_FAILED', `The folder ${folder} does not exist.`);
    default:
      return failure('SAVE_FAILED', `${name} cannot be saved in ${folder}. Check the permissions of the folder.`);
  }
};

/** Copies `draft` to `path`; `isPrivate`: others may not read it. Errors: SAVE_FAILED, DISK_FULL. */
export const saveNewFile = async (draft: string, path: string, { isPrivate = false } = {}): Promise<Result<null>> => {
  try {
    await copyFile(draft, path, constants.COPYFILE_EXCL);
    if (!isPrivate) await chmod(path, MODE & ~process.umask());
    return ok(null);
  } catch (error) {
    const failed = error as NodeJS.ErrnoException;
    // What is there belongs to someone else.
    if (failed.code !== 'EEXIST') await rm(path, { force: true }).catch(() => {});
    return err(saveFailure(failed, path));
  }
};
