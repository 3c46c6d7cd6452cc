/**
 * Checks that a file, folder or socket belongs to the current user and that its mode excludes other users. On Windows
 * owner and mode say nothing; there the profile is closed to others when it is opened (`base/node/private-folder.ts`).
 */
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** `closed`: the mode bits that must be off, such as 0o077 for group and others. */
export const belongsToUser = ({ uid, mode }: Pick<Stats, 'uid' | 'mode'>, closed: number): boolean =>
  process.platform === 'win32' || (uid === process.getuid?.() && (mode & closed) === 0);

/** Whether no other user can create or replace files in the folder. */
export const isOwnFolder = async (path: string): Promise<boolean> => {
  const facts = await lstat(path).catch(() => null);
  return facts?.isDirectory() === true && belongsToUser(facts, 0o022);
};

/**
 * `own`: only this user can have created the socket, and no other user can replace it. `missing`: no such socket
 * exists.
 */
export const checkSocket = async (path: string): Promise<'own' | 'foreign' | 'missing'> => {
  if (process.platform === 'win32') return 'own';
  const facts = await lstat(path).catch(() => null);
  if (facts === null) return 'missing';
  const isOwn = facts.isSocket() && belongsToUser(facts, 0o077) && (await isOwnFolder(dirname(path)));
  return isOwn ? 'own' : 'foreign';
};
