/** Locates the user's global git configuration. */
import { join } from 'node:path';

export interface GitHome {
  readonly dir: string;
  /** `$XDG_CONFIG_HOME`. */
  readonly configDir: string;
}

/** Null where the environment names no home folder. */
export const gitHomeOf = (environment: Readonly<Record<string, string | undefined>>): GitHome | null => {
  const dir = environment['HOME'] || environment['USERPROFILE'];
  return dir ? { dir, configDir: environment['XDG_CONFIG_HOME'] || join(dir, '.config') } : null;
};
