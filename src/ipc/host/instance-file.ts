/**
 * The private file of a profile (0600) in which the process that owns the profile stores the address and the secret of
 * its socket, for other processes of the user. It is rewritten at each start.
 */
import { constants } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { closeToOthers, type WindowsTools } from '../../base/node/private-folder.ts';
import { open, rename, rm } from '../../base/node/retrying-fs.ts';
import { isMissing } from '../../base/node/system-error.ts';
import { createValidator } from '../protocol/create-validator.ts';
import { belongsToUser } from './owned-by-user.ts';

const InstanceFile = Type.Object({
  /** Path of the socket, or name of the pipe on Windows. */
  socket: Type.String({ minLength: 1, maxLength: 4_096 }),
  secret: Type.String({ pattern: '^[0-9A-Za-z_-]{43}$' }),
});
export type InstanceFile = Static<typeof InstanceFile>;

/** Larger than any path with a secret. */
const FILE_BYTES_MAX = 16_384;

const isInstanceFile = createValidator(InstanceFile);
const pathIn = (profileDir: string): string => join(profileDir, 'instance.json');

/** Replaces the file of an earlier start. Fails where the file system cannot protect it from other users. */
export const writeInstanceFile = async (
  profileDir: string,
  facts: InstanceFile,
  windows?: WindowsTools,
): Promise<void> => {
  const draft = `${pathIn(profileDir)}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    const isPrivate = belongsToUser(await file.stat(), 0o077) && closeToOthers(draft, 'file', windows);
    if (!isPrivate) throw new Error(`${draft} can be read by other users`);
    await file.writeFile(JSON.stringify(facts));
  } finally {
    await file.close();
  }
  await rename(draft, pathIn(profileDir));
};

/** Null: the profile has no such file. `foreign`: another user wrote it or could have read it, so it proves nothing. */
export const readInstanceFile = async (profileDir: string): Promise<InstanceFile | 'foreign' | null> => {
  const flags = process.platform === 'win32' ? 'r' : constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(pathIn(profileDir), flags).catch((error: unknown) =>
    isMissing(error) ? null : ('foreign' as const),
  );
  if (file === null || file === 'foreign') return file;
  try {
    const facts = await file.stat();
    if (!facts.isFile() || !belongsToUser(facts, 0o077)) return 'foreign';
    if (facts.size > FILE_BYTES_MAX) return null;
    const value: unknown = JSON.parse(await file.readFile('utf8'));
    return isInstanceFile(value) ? value : null;
  } catch {
    return null;
  } finally {
    await file.close();
  }
};

export const removeInstanceFile = (profileDir: string): Promise<void> => rm(pathIn(profileDir), { force: true });
