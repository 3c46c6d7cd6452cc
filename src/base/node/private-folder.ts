/**
 * Creates a folder and its missing parents with access for their owner only; throws if the system refuses to create a
 * folder, unlike Node's recursive `mkdir`, which may never return. Also removes the access of other users to a file or
 * folder on Windows, if the drive supports permissions.
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

/** Security identifiers of Windows: independent of the language, and of accounts whose names icacls does not find. */
const SYSTEM = '*S-1-5-18';
const ADMINISTRATORS = '*S-1-5-32-544';
const OWNER_RIGHTS = '*S-1-3-4';

export interface WindowsTools {
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly run: typeof runProgramSync;
}

const THIS_SYSTEM: WindowsTools = { platform: process.platform, environment: process.env, run: runProgramSync };

/** Also a service has an account, with a name such as `WORKGROUP\\PC$` that means nothing to icacls. */
const ownAccount = ({ environment, run }: WindowsTools): string => {
  const said = run(windowsProgram('whoami.exe', environment), ['/user', '/fo', 'csv', '/nh']);
  const [, id] = /"(S-1-[\d-]+)"/.exec(said ?? '') ?? [];
  return id === undefined ? OWNER_RIGHTS : `*${id}`;
};

const icacls = ({ environment, run }: WindowsTools, args: readonly string[]): string | null =>
  run(windowsProgram('icacls.exe', environment), args);

/**
 * Removes other users' access to a file or folder on Windows, where POSIX modes have no effect and a folder outside the
 * user's profile inherits permissions. The system and administrators keep theirs, as root does elsewhere. False: Windows
 * refused, as on a drive without permissions, such as FAT.
 */
export const closeToOthers = (path: string, kind: 'file' | 'folder', tools: WindowsTools = THIS_SYSTEM): boolean => {
  if (tools.platform !== 'win32') return true;
  const rights = kind === 'folder' ? '(OI)(CI)F' : 'F';
  const accounts = new Set([ownAccount(tools), SYSTEM, ADMINISTRATORS]);
  const grants = [...accounts].flatMap((account) => ['/grant:r', `${account}:${rights}`]);
  return icacls(tools, [path, '/inheritance:r', ...grants]) !== null;
};

/**
 * The same for what may have existed before, and only where its permissions are inherited: those of its own somebody has
 * set on purpose, or `closeToOthers` has.
 */
export const closeInherited = (path: string, kind: 'file' | 'folder', tools: WindowsTools = THIS_SYSTEM): boolean => {
  if (tools.platform !== 'win32') return true;
  // Such as `D:\data NT AUTHORITY\SYSTEM:(I)(OI)(CI)(F)`; a drive without permissions has no such entry.
  const entries: readonly string[] = icacls(tools, [path])?.match(/:\((I\))?/g) ?? [];
  const hasItsOwn = entries.length > 0 && !entries.includes(':(I)');
  return hasItsOwn || closeToOthers(path, kind, tools);
};

/** What to do where `closeToOthers` or `closeInherited` returned false. */
export const openToOthers = (path: string): string =>
  `Other users of this computer may read ${path}: Windows did not restrict it to this account. Give it permissions of its own (icacls), on a drive that has them (NTFS).`;
