/** What git's configuration says about ignoring: which file holds a person's own patterns, and whether case counts. */
import { readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { Letters } from '../../common/folder/gitignore-glob.ts';
import type { GitHome } from './git-config-home.ts';

/** The characters of a value that a backslash stands before. */
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

/** A value as git reads it: quotes off, escapes read, a comment and spaces at the end dropped. */
const readValue = (text: string): string => {
  let value = '';
  /** Length that is kept when spaces at the end are dropped. */
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

/** The last value of a key of `[core]`; null where there is none. Names have no case; a key alone means true. */
const coreValue = (config: string, key: string): string | null => {
  let section = '';
  let found: string | null = null;
  for (const line of config.split(/\r?\n/)) {
    const header = /^\s*\[([^\]"\s]+)[^\]]*\](.*)$/.exec(line);
    if (header) section = (header[1] ?? '').toLowerCase();
    const setting = /^\s*([a-z][a-z0-9-]*)\s*(?:=\s*(.*))?$/i.exec(header?.[2] ?? line);
    if (section === 'core' && setting?.[1]?.toLowerCase() === key) found = readValue(setting[2] ?? 'true');
  }
  return found;
};

/**
 * The path of the person's own ignore file, whether or not it is there; null where there is no place for one.
 * `repositoryConfig` is the configuration file of the repository, which has the last word.
 */
export const excludesFileOf = async (
  home: GitHome | null,
  top: string,
  repositoryConfig: string | null,
): Promise<string | null> => {
  const own = home ? [join(home.configDir, 'git', 'config'), join(home.dir, '.gitconfig')] : [];
  const configs = ['/etc/gitconfig', ...own, ...(repositoryConfig === null ? [] : [repositoryConfig])];
  let told: string | null = null;
  for (const path of configs) {
    const text = await readFile(path, 'utf8').catch(() => '');
    told = coreValue(text, 'excludesfile') ?? told;
  }
  if (told === '') return null;
  if (told === null) return home && join(home.configDir, 'git', 'ignore');
  if (told.startsWith('~/')) return home && join(home.dir, told.slice(2));
  return isAbsolute(told) ? told : resolve(top, told);
};

/** Whether names that differ only by case are the same to the repository, as git found out when it was made. */
export const lettersOf = async (repositoryConfig: string): Promise<Letters> => {
  const told = coreValue(await readFile(repositoryConfig, 'utf8').catch(() => ''), 'ignorecase');
  return /^(true|yes|on|1)$/i.test(told ?? '') ? 'folded' : 'exact';
};
