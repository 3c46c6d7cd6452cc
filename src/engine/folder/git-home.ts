/** Where git looks for what a person has set for all repositories. */
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface GitHome {
  readonly dir: string;
  /** `$XDG_CONFIG_HOME`. */
  readonly configDir: string;
}

export const systemGitHome = (environment: NodeJS.ProcessEnv): GitHome => {
  const dir = homedir();
  return { dir, configDir: environment['XDG_CONFIG_HOME'] || join(dir, '.config') };
};
