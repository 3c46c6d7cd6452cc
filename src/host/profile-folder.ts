/**
 * Locates the profile folder, which has the queue, library and settings of one user: a given folder, or the default of
 * the user and the platform.
 */
import { join, resolve } from 'node:path';

export interface ProfileEnvironment {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Base of the relative paths on the command line. */
  readonly cwd: string;
}

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
      return join(environment['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Linkshot');
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Linkshot');
    default:
      return join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'linkshot');
  }
};
