/**
 * Copies a finished temporary file to a new path; fails where something exists already, and leaves it as it is. Other
 * users may read the copy unless it is private.
 */

import { constants } from 'node:fs';
import { chmod, lstat, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { err, type Failure, failure, ok, type Result } from '../api/errors.ts';
import { copyFile, rm } from '../base/node/retrying-fs.ts';
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

const errorOf = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

/**
 * Whether a new file can be saved at `path`, before the work whose result it takes; `saveNewFile` looks again. Error:
 * SAVE_FAILED.
 */
export const checkNewFile = async (path: string): Promise<Result<null>> => {
  try {
    if (!(await stat(dirname(path))).isDirectory()) return err(saveFailure(errorOf('ENOTDIR'), path));
    const there = await lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    return there === null ? ok(null) : err(saveFailure(errorOf('EEXIST'), path));
  } catch (error) {
    return err(saveFailure(error as NodeJS.ErrnoException, path));
  }
};

/** Copies `draft` to `path`; `isPrivate`: others may not read it. Errors: SAVE_FAILED, DISK_FULL. */
export const saveNewFile = async (draft: string, path: string, { isPrivate = false } = {}): Promise<Result<null>> => {
  try {
    // Where it fails, it removes what it has begun itself.
    await copyFile(draft, path, constants.COPYFILE_EXCL);
  } catch (error) {
    return err(saveFailure(error as NodeJS.ErrnoException, path));
  }
  try {
    if (!isPrivate) await chmod(path, MODE & ~process.umask());
    return ok(null);
  } catch (error) {
    await rm(path, { force: true }).catch(() => {});
    return err(saveFailure(error as NodeJS.ErrnoException, path));
  }
};
