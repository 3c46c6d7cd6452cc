/**
 * Local sockets of the process that owns a profile. Promise: only the person's own processes reach one: it lies in the
 * profile folder (0700), is 0600, and on Windows is a named pipe.
 */
import { createHash } from 'node:crypto';
import { lstat, mkdir, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The longest path that every system accepts for a socket, with room for the terminating zero. */
const SOCKET_PATH_MAX = 100;

/** `instance`: commands and events as frames. `command`: whole command lines. */
export type SocketName = 'instance' | 'command';

/** A profile whose path is too long for a socket gets one in the temporary folder, named after the profile. */
export const socketPath = (profileDir: string, called: SocketName): string => {
  const name = createHash('sha256').update(resolve(profileDir)).digest('hex').slice(0, 24);
  if (process.platform === 'win32') return `\\\\.\\pipe\\linkshot-${called === 'instance' ? '' : `${called}-`}${name}`;
  const near = join(resolve(profileDir), `${called}.sock`);
  return Buffer.byteLength(near) <= SOCKET_PATH_MAX
    ? near
    : join(tmpdir(), `linkshot-${userInfo().uid}-${name}`, `${called}.sock`);
};

/** Anyone may make a folder in the temporary folder; one that is not ours alone is not used. */
const ensurePrivate = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await lstat(folder);
  if (uid !== userInfo().uid || (mode & 0o077) !== 0) throw new Error(`${folder} belongs to someone else`);
};

/** Binds with the mode 0600 from the first moment; `listen` binds before it returns. */
const listenPrivately = (server: Server, path: string): Promise<void> =>
  new Promise((listening, reject) => {
    server.once('error', reject);
    const mask = process.umask(0o177);
    try {
      server.listen(path, listening);
    } finally {
      process.umask(mask);
    }
  });

/** Call it only as the owner of the profile: a socket file that is there already is then a dead one and is replaced. */
export const listenAt = async (server: Server, profileDir: string, called: SocketName): Promise<void> => {
  const path = socketPath(profileDir, called);
  if (process.platform !== 'win32') {
    if (dirname(path) !== resolve(profileDir)) await ensurePrivate(dirname(path));
    await rm(path, { force: true });
  }
  await listenPrivately(server, path);
};
