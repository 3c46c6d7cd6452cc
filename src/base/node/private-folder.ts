/** Makes a folder that only its owner may open, and those above it, or throws at once where the system lets nobody make one. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { runProgramSync, windowsProgram } from './run-program.ts';

/**
 * Node's own recursive mkdir never returns below /proc. `path` is absolute; throws what the system says, also for a drive
 * or a share that is not there.
 */
export const makePrivateFolder = (path: string): void => {
  if (existsSync(path)) return;
  const above = dirname(path);
  // A root that does not exist has no folder above it.
  if (above !== path) makePrivateFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
    closeToOthers(path, 'folder');
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
};

/** Security identifier of the system itself, the same in every language. */
const LOCAL_SYSTEM = '*S-1-5-18';

/**
 * Takes what others may do with a new file or folder away on Windows, where a mode is no right and a folder outside the
 * user's own hands its rights on. Best effort: a drive without rights, such as one with FAT, stays as open as it is.
 */
export const closeToOthers = (path: string, kind: 'file' | 'folder'): void => {
  if (process.platform !== 'win32') return;
  const { USERDOMAIN: domain, USERNAME: name } = process.env;
  if (name === undefined) return;
  const user = domain === undefined ? name : `${domain}\\${name}`;
  const rights = kind === 'folder' ? '(OI)(CI)F' : 'F';
  const grants = [user, LOCAL_SYSTEM].flatMap((who) => ['/grant:r', `${who}:${rights}`]);
  runProgramSync(windowsProgram('icacls.exe', process.env), [path, '/inheritance:r', ...grants]);
};
