/**
 * Reads files that need not exist, such as ignore files, within the reach of whoever names them. Rejects with every other
 * error of the file system: rules that cannot be read must not count as none, or what they exclude is published.
 */
import type { Stats } from 'node:fs';
import { type FileHandle, lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { open, readFile, retryWhileInUse } from '../../base/node/retrying-fs.ts';
import { isMissing, isSystemError } from '../../base/node/system-error.ts';
import type { Reach } from './reach.ts';

type Links = 'followed' | 'not followed';

export const ifThere = <T>(found: Promise<T>): Promise<T | null> =>
  found.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });

export const statIfThere = async (path: string, reach: Reach, links: Links = 'followed'): Promise<Stats | null> => {
  await reach(links === 'followed' ? path : dirname(path));
  return ifThere(retryWhileInUse(() => (links === 'followed' ? stat(path) : lstat(path))));
};

export const openIfThere = async (path: string, reach: Reach): Promise<FileHandle | null> => {
  await reach(path);
  return ifThere(open(path));
};

/** git has no limit, but no real ignore file, nor one with settings, is larger. */
const RULES_MAX = 4 * 1024 ** 2;

const tooLarge = (path: string): Error =>
  Object.assign(new Error(`EFBIG: file too large, read '${path}'`), { code: 'EFBIG', syscall: 'read', path });

/** Null also for what is no plain file. */
export const readIfThere = async (
  path: string,
  reach: Reach,
  links?: Links,
  limit = Infinity,
): Promise<Buffer | null> => {
  const stats = await statIfThere(path, reach, links);
  if (!stats?.isFile()) return null;
  if (stats.size > limit) throw tooLarge(path);
  return ifThere(
    readFile(path).catch((error: unknown) => {
      // Node names the file only where it cannot be opened.
      throw isSystemError(error) ? Object.assign(error, { path }) : error;
    }),
  );
};

/** As `readIfThere`. Rejects with EFBIG where the file has more than 4 MiB. */
export const readRulesIfThere = (path: string, reach: Reach, links?: Links): Promise<Buffer | null> =>
  readIfThere(path, reach, links, RULES_MAX);
