/** Which folder holds the person's queue, library and settings when nothing else is said. */
import { join, resolve } from 'node:path';

export interface ProfileSurroundings {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** `chosen` (a command-line option) wins over LINKSHOT_PROFILE, which wins over the platform's own place. */
export const profileFolder = (
  chosen: string | undefined,
  { platform, environment, home }: ProfileSurroundings,
): string => {
  const named = chosen ?? environment['LINKSHOT_PROFILE'];
  if (named) return resolve(named);
  switch (platform) {
    case 'win32':
      return join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Linkshot');
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Linkshot');
    default:
      return join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'linkshot');
  }
};
