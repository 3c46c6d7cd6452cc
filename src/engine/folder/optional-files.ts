/**
 * Reads files that need not exist, such as ignore files. Rejects with every other error of the file system: rules that
 * cannot be read must not count as none, or what they exclude is published.
 */
import type { PathLike, Stats } from 'node:fs';
import { type FileHandle, lstat, stat } from 'node:fs/promises';
import { open, readFile, retryWhileInUse } from '../../base/node/retrying-fs.ts';
import { isMissing } from '../../base/node/system-error.ts';

const ifThere = <T>(found: Promise<T>): Promise<T | null> =>
  found.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });

export const statIfThere = (path: PathLike, links: 'followed' | 'not followed'): Promise<Stats | null> =>
  ifThere(retryWhileInUse(() => (links === 'followed' ? stat(path) : lstat(path))));

export const openIfThere = (path: string): Promise<FileHandle | null> => ifThere(open(path));

export const readIfThere = (path: string): Promise<Buffer | null> => ifThere(readFile(path));
