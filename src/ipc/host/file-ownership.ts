/** Whether a file, folder or socket belongs to this user alone. Windows keeps others out by the rights of the user's folder. */
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** `closed`: the mode bits that must be off, such as 0o077 for group and others. */
export const belongsToUser = ({ uid, mode }: Pick<Stats, 'uid' | 'mode'>, closed: number): boolean =>
  process.platform === 'win32' || (uid === process.getuid?.() && (mode & closed) === 0);

/** A folder in which no other user can put or replace a file. */
export const isOwnFolder = async (path: string): Promise<boolean> => {
  const facts = await lstat(path).catch(() => null);
  return facts?.isDirectory() === true && belongsToUser(facts, 0o022);
};

/** A socket that only this user can have made, and that no other user can replace. `missing`: no such socket exists. */
export const judgeSocket = async (path: string): Promise<'own' | 'foreign' | 'missing'> => {
  if (process.platform === 'win32') return 'own';
  const facts = await lstat(path).catch(() => null);
  if (facts === null) return 'missing';
  const isOwn = facts.isSocket() && belongsToUser(facts, 0o077) && (await isOwnFolder(dirname(path)));
  return isOwn ? 'own' : 'foreign';
};
