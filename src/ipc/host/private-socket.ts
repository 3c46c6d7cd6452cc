/**
 * Chooses the addresses of the local sockets of the process that owns a profile, opens the sockets and removes them.
 * Only the user's own processes reach a socket, which is 0600 in a folder that no other user can write. On Windows other
 * users can connect to its named pipe, whose random name is in a private file; `peer-authentication.ts` keeps them out.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { rm } from '../../base/node/retrying-fs.ts';
import { checkSocket, isOwnFolder } from './owned-by-user.ts';

/** The longest socket path that every system accepts, with a margin for the terminating zero. */
const SOCKET_PATH_MAX = 100;
const TEMPORARY_NAME = 'linkshot-';

/** `instance`: commands and events as frames. `command`: whole command lines. */
type SocketName = 'instance' | 'command';

/** Null: the path of the profile is too long for a socket, or another user can write to the folder. */
export const socketInProfile = async (profileDir: string, called: SocketName): Promise<string | null> => {
  const path = join(resolve(profileDir), `${called}.sock`);
  return Buffer.byteLength(path) <= SOCKET_PATH_MAX && (await isOwnFolder(dirname(path))) ? path : null;
};

/** A folder of mkdtemp is new, ours and 0700: no other user can have prepared it. `runtimeDir`: $XDG_RUNTIME_DIR. */
const socketElsewhere = async (runtimeDir: string | undefined, called: SocketName): Promise<string> => {
  const isUsable = runtimeDir && isAbsolute(runtimeDir) && (await isOwnFolder(runtimeDir));
  for (const parent of [...(isUsable ? [runtimeDir] : []), tmpdir(), '/tmp']) {
    if (Buffer.byteLength(join(parent, `${TEMPORARY_NAME}123456`, `${called}.sock`)) > SOCKET_PATH_MAX) continue;
    const folder = await mkdtemp(join(parent, TEMPORARY_NAME)).catch(() => null);
    if (folder !== null) return join(folder, `${called}.sock`);
  }
  throw new Error('no folder for temporary files can hold a socket');
};

/** A new address for the socket of this start. Call it only as the owner of the profile. */
export const instanceAddress = async (profileDir: string, runtimeDir: string | undefined): Promise<string> => {
  if (process.platform === 'win32') return `\\\\.\\pipe\\linkshot-${randomBytes(16).toString('hex')}`;
  return (await socketInProfile(profileDir, 'instance')) ?? socketElsewhere(runtimeDir, 'instance');
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

/** Call it only as the owner of the profile: an existing socket file then belongs to a dead owner and is replaced. */
export const listenAt = async (server: Server, path: string): Promise<void> => {
  if (process.platform !== 'win32') await rm(path, { force: true });
  await listenPrivately(server, path);
};

/** Removes an owner's socket from a folder for temporary files. Leaves files that another user may have created. */
export const removeTemporarySocket = async (path: string, profileDir: string): Promise<void> => {
  const folder = dirname(path);
  if (process.platform === 'win32' || folder === resolve(profileDir) || !isOurName(path)) return;
  if (!(await isOwnFolder(folder)) || (await checkSocket(path)) === 'foreign') return;
  await rm(folder, { recursive: true, force: true });
};

const isOurName = (path: string): boolean =>
  isAbsolute(path) && basename(path) === 'instance.sock' && basename(dirname(path)).startsWith(TEMPORARY_NAME);
