/**
 * Tells a folder whose drive went away while it was read from one with damaged files. Both fail with the same errors, and
 * the root of a drive that is gone may still be listed from memory for a moment.
 */
import { lstat, readdir, stat } from 'node:fs/promises';
import { isAwayCode } from '../../common/is-drive-away.ts';
import { type ReadFile, readStableFile } from './read-stable-file.ts';

export interface DriveWatch {
  /** The entries that could not be listed or inspected. */
  onUnlisted(errors: readonly NodeJS.ErrnoException[]): void;
  onRead(read: ReadFile): void;
  /** The last files that were read all failed: the others would, too, and a network drive takes minutes for each. */
  isAway(): boolean;
  /** After the reading. Null: what could not be read is no matter of the drive. */
  findLoss(): Promise<NodeJS.ErrnoException | null>;
}

/** So many files that fail one after the other are not damaged. As many are read at once. */
const IN_A_ROW = 16;

const isReadable = async (path: string): Promise<boolean> => {
  try {
    if ((await lstat(path)).isDirectory()) await readdir(path);
    else return 'bytes' in (await readStableFile(path));
    return true;
  } catch {
    return false;
  }
};

/** `root` is absolute, with its links resolved. Rejects where it cannot be reached. */
export const watchDrive = async (root: string): Promise<DriveWatch> => {
  const { dev } = await stat(root);
  let hasFailed = false;
  let hasRead = false;
  let inARow = 0;
  /** The last ones: what always fails, as the place of another drive, is found first, and says nothing of this one. */
  const failed: NodeJS.ErrnoException[] = [];
  const onFailed = (error: NodeJS.ErrnoException): void => {
    hasFailed = true;
    if (isAwayCode(error.code)) failed.push(error);
    if (failed.length > IN_A_ROW) failed.shift();
  };

  const findRootLoss = async (): Promise<NodeJS.ErrnoException | null> => {
    try {
      // Where a drive was mounted, its folder may stay.
      if ((await stat(root)).dev !== dev) return Object.assign(new Error(), { code: 'ENOENT', path: root });
      await readdir(root);
      return null;
    } catch (error) {
      return error as NodeJS.ErrnoException;
    }
  };

  const isAway = () => inARow >= IN_A_ROW;
  return {
    onUnlisted: (errors) => errors.forEach(onFailed),
    onRead(read) {
      if ('bytes' in read) {
        hasRead = true;
        // An empty file takes nothing from the drive.
        if (read.bytes.length > 0) inARow = 0;
      } else if (read.error) {
        onFailed(read.error);
        if (isAwayCode(read.error.code)) inARow += 1;
      }
    },
    isAway,
    async findLoss() {
      if (!hasFailed) return null;
      const loss = await findRootLoss();
      const last = failed.at(-1);
      if (loss || !last) return loss;
      if (!hasRead || isAway()) return last;
      // What can be read after all is missing only because its drive was away for a moment.
      const areReadable = await Promise.all(failed.map(({ path }) => isReadable(path ?? root)));
      return failed.find((_, index) => areReadable[index]) ?? null;
    },
  };
};
