/**
 * Locates the user's global git configuration, and reads the git settings about ignoring: the path of the user's ignore
 * file, and case sensitivity.
 */
import { isAbsolute, join, resolve } from 'node:path';
import type { Letters } from '../../common/folder/gitignore-glob.ts';
import { readIfThere } from './optional-files.ts';

/** Escape sequences of a quoted value. */
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

/** Parses a value as git does: removes quotes, resolves escapes, drops a trailing comment and trailing spaces. */
const readValue = (text: string): string => {
  let value = '';
  /** Length without trailing spaces. */
  let kept = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === '"') isQuoted = !isQuoted;
    else if (char === '\\') {
      at += 1;
      const escaped = text[at] ?? '';
      value += ESCAPES[escaped] ?? escaped;
      kept = value.length;
    } else if (!isQuoted && (char === '#' || char === ';')) break;
    else {
      value += char;
      if (isQuoted || !/\s/.test(char)) kept = value.length;
    }
  }
  return value.slice(0, kept);
};

/**
 * The last value of a key in `[core]`; null where it is missing. Names are case-insensitive; a key without a value
 * means true.
 */
const coreValue = (config: string, key: string): string | null => {
  let section = '';
  let found: string | null = null;
  for (const line of config.split(/\r?\n/)) {
    const header = /^\s*\[([^\]"\s]+)(?:["\s][^\]]*)?\](.*)$/s.exec(line);
    if (header) section = (header[1] ?? '').toLowerCase();
    const setting = /^\s*([a-z][a-z0-9-]*)\s*(?:=(.*))?$/is.exec(header?.[2] ?? line);
    if (section === 'core' && setting?.[1]?.toLowerCase() === key) found = readValue(setting[2]?.trimStart() ?? 'true');
  }
  return found;
};

/**
 * Path of the user's global ignore file, whether or not it exists; null where there is no such path. `repositoryConfig`
 * is the configuration file of the repository, which takes precedence.
 */
export const excludesFileOf = async (
  home: GitHome | null,
  top: string,
  repositoryConfig: string | null,
): Promise<string | null> => {
  const own = home ? [join(home.configDir, 'git', 'config'), join(home.dir, '.gitconfig')] : [];
  const configs = ['/etc/gitconfig', ...own, ...(repositoryConfig === null ? [] : [repositoryConfig])];
  let configured: string | null = null;
  for (const path of configs) {
    const text = await readIfThere(path);
    configured = (text && coreValue(text.toString(), 'excludesfile')) ?? configured;
  }
  if (configured === '') return null;
  if (configured === null) return home && join(home.configDir, 'git', 'ignore');
  if (configured.startsWith('~/')) return home && join(home.dir, configured.slice(2));
  return isAbsolute(configured) ? configured : resolve(top, configured);
};

/** Whether the repository treats names that differ only by case as equal (`core.ignorecase`). */
export const caseSensitivityOf = async (repositoryConfig: string): Promise<Letters> => {
  const text = await readIfThere(repositoryConfig);
  const configured = text && coreValue(text.toString(), 'ignorecase');
  return /^(true|yes|on|1)$/i.test(configured ?? '') ? 'folded' : 'exact';
};

// Locates the user's global git configuration.

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
