/** Locates the folder from which the user runs the program. */
import { resolve } from 'node:path';
import type { ProfileEnvironment } from './profile-folder.ts';

const PACKAGE_FOLDER = resolve(import.meta.dirname, '../..');

/** npm runs a script in the package's folder, but the user's files are where npm was called. */
export const workingDirectory = (cwd: string, { INIT_CWD }: ProfileEnvironment['environment']): string =>
  cwd === PACKAGE_FOLDER ? (INIT_CWD ?? cwd) : cwd;
