/**
 * Locates the profile folder, which has the queue, library and settings of one user: a given folder, or the default of
 * the user and the platform. Also locates the folder from which the user runs the program.
 */
import { join, resolve } from 'node:path';

const PACKAGE_FOLDER = resolve(import.meta.dirname, '../..');

export interface ProfileEnvironment {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Base of the relative paths on the command line. */
  readonly cwd: string;
}

/** npm runs a script in the package's folder, but the user's files are where npm was called. */
export const workingFolder = (cwd: string, { INIT_CWD }: ProfileEnvironment['environment']): string =>
  cwd === PACKAGE_FOLDER ? (INIT_CWD ?? cwd) : cwd;

/**
 * `chosen` (a command-line option) takes precedence over LINKSHOT_PROFILE, which takes precedence over the platform's
 * default.
 */
export const profileFolder = (
  chosen: string | undefined,
  { platform, environment, home, cwd }: ProfileEnvironment,
): string => {
  const named = chosen ?? environment['LINKSHOT_PROFILE'];
  if (named) return resolve(cwd, named);
  switch (platform) {
    case 'win32':
      return join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Linkshot');
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Linkshot');
    default:
      return join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'linkshot');
  }
};
