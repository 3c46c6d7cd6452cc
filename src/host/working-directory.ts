/** Locates the folder from which the user runs the program. */
import { isAbsolute, resolve } from 'node:path';
import type { ProfileEnvironment } from './profile-folder.ts';

const PACKAGE_FOLDER = resolve(import.meta.dirname, '../..');

/** Where the folder of this process was removed and the shell does not tell its path: no file is found in it. */
const NOWHERE = '/nonexistent';

/** The folder of this process; the path that it had if it was removed. */
export const folderOfProcess = (environment: ProfileEnvironment['environment']): string => {
  try {
    return process.cwd();
  } catch {
    const { PWD = '' } = environment;
    return isAbsolute(PWD) ? PWD : NOWHERE;
  }
};

/** npm runs a script in the package's folder, but the user's files are where npm was called. */
export const workingDirectory = (cwd: string, { INIT_CWD }: ProfileEnvironment['environment']): string =>
  cwd === PACKAGE_FOLDER ? (INIT_CWD ?? cwd) : cwd;
