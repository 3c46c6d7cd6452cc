/** Which file of a person's own ignore patterns git uses: `core.excludesFile`, or its default place (gitignore(5)). */
import { readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { GitHome } from './git-home.ts';

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

/** The last `core.excludesFile` of a configuration file; null where it has none. */
const excludesFileIn = (config: string): string | null => {
  let section = '';
  let found: string | null = null;
  for (const line of config.split(/\r?\n/)) {
    const header = /^\s*\[([^\]"\s]+)[^\]]*\](.*)$/.exec(line);
    if (header) section = (header[1] ?? '').toLowerCase();
    const setting = /^\s*excludesfile\s*=\s*(.*)$/i.exec(header?.[2] ?? line);
    if (section === 'core' && setting) found = readValue(setting[1] ?? '');
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
    told = excludesFileIn(text) ?? told;
  }
  if (told === '') return null;
  if (told === null) return home && join(home.configDir, 'git', 'ignore');
  if (told.startsWith('~/')) return home && join(home.dir, told.slice(2));
  return isAbsolute(told) ? told : resolve(top, told);
};
