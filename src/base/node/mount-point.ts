/** Finds where a drive is mounted, and tells whether one still is: its place may stay as an empty folder. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** False also where it cannot be reached. The root of all folders, or of a drive with a letter, is none. */
export const isMountPoint = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).dev !== (await stat(dirname(path))).dev;
  } catch {
    return false;
  }
};

/** That of the drive with `path`, which is absolute, with its links resolved. Null: it has none. */
export const mountPointOf = async (path: string): Promise<string | null> => {
  for (let at = path; ; at = dirname(at)) {
    if (await isMountPoint(at)) return at;
    if (dirname(at) === at) return null;
  }
};
