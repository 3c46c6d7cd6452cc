/** Where this person keeps pictures, as their system says it. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

export interface PersonSurroundings {
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Absolute; null where this process belongs to nobody with a home. */
export const picturesFolder = async ({ platform, environment }: PersonSurroundings): Promise<string | null> => {
  if (platform === 'win32') return windowsFolder(environment);
  const home = environment['HOME'];
  if (!home) return null;
  return (platform === 'darwin' ? null : await namedByDesktop(home, environment)) ?? join(home, 'Pictures');
};

/** `XDG_PICTURES_DIR="$HOME/Bilder"` of the file that xdg-user-dirs writes. */
const namedByDesktop = async (home: string, environment: PersonSurroundings['environment']): Promise<string | null> => {
  const folder = environment['XDG_CONFIG_HOME'] || join(home, '.config');
  const text = await readFile(join(folder, 'user-dirs.dirs'), 'utf8').catch(() => '');
  const [, named] = /^\s*XDG_PICTURES_DIR="(.+)"\s*$/m.exec(text) ?? [];
  const path = named?.replace(/^\$HOME(?=\/|$)/, home);
  return path !== undefined && isAbsolute(path) ? path : null;
};

const SHELL_FOLDERS = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\User Shell Folders';

/** It may be redirected, e.g. into OneDrive; the registry knows. */
const windowsFolder = async (environment: PersonSurroundings['environment']): Promise<string | null> => {
  const profile = environment['USERPROFILE'];
  if (!profile) return null;
  const asked = promisify(execFile)('reg.exe', ['query', SHELL_FOLDERS, '/v', 'My Pictures']);
  const { stdout } = await asked.catch(() => ({ stdout: '' }));
  const [, named] = /REG_(?:EXPAND_)?SZ\s+(.+?)\s*$/m.exec(stdout) ?? [];
  return named?.replace(/%(\w+)%/g, (whole, name: string) => environment[name] ?? whole) ?? join(profile, 'Pictures');
};
