/**
 * Creates a folder and its missing parents with access for their owner only; throws if the system refuses to create a
 * folder, unlike Node's recursive `mkdir`, which may never return. Also removes the access of other users to a new file
 * or folder on Windows, if the drive supports permissions.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { runProgramSync, windowsProgram } from './run-program.ts';

/**
 * Replaces Node's recursive mkdir, which never returns below /proc. `path` is absolute; throws the system's error, also
 * for a missing drive or share.
 */
export const makePrivateFolder = (path: string): void => {
  if (existsSync(path)) return;
  const above = dirname(path);
  // A missing root has no parent.
  if (above !== path) makePrivateFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
    closeToOthers(path, 'folder');
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!existsSync(path)) throw error;
  }
};

/** Security identifier of the Windows system account, independent of the language. */
const LOCAL_SYSTEM = '*S-1-5-18';

interface WindowsTools {
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly run: typeof runProgramSync;
}

/**
 * Removes other users' access to a new file or folder on Windows, where POSIX modes have no effect and a folder outside
 * the user's profile inherits permissions. Best effort: a drive without permissions, such as FAT, stays open.
 */
export const closeToOthers = (
  path: string,
  kind: 'file' | 'folder',
  { platform, environment, run }: WindowsTools = {
    platform: process.platform,
    environment: process.env,
    run: runProgramSync,
  },
): void => {
  if (platform !== 'win32') return;
  const { USERDOMAIN: domain, USERNAME: name } = environment;
  if (name === undefined) return;
  const user = domain === undefined ? name : `${domain}\\${name}`;
  const rights = kind === 'folder' ? '(OI)(CI)F' : 'F';
  const grants = [user, LOCAL_SYSTEM].flatMap((who) => ['/grant:r', `${who}:${rights}`]);
  run(windowsProgram('icacls.exe', environment), [path, '/inheritance:r', ...grants]);
};
