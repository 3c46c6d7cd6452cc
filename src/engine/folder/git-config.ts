/**
 * Locates the user's global git configuration, and reads the git settings about ignoring, also from files that others
 * include: the paths of the user's ignore files, and case sensitivity.
 */
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { byteString, lower } from '../../common/folder/gitignore-file.ts';
import { compileGlob, createWork, type Letters } from '../../common/folder/gitignore-glob.ts';
import { settingsOf } from './git-config-file.ts';
import { readRulesIfThere } from './optional-files.ts';

export interface GitSettings {
  /**
   * The user's ignore files, whether or not they exist: the one that git reads, and those it reads under a condition
   * that is not judged here. What any of them excludes stays out.
   */
  readonly excludesFiles: readonly string[];
  /** Whether names that differ only by case are equal (`core.ignorecase`). */
  readonly letters: Letters;
}

/** A repository, or a folder that is treated as one. Paths are absolute. */
export interface GitPlace {
  readonly top: string;
  /** The git folder of the work tree; the start of conditions about it. */
  readonly gitDir: string;
  /** The git folder that work trees share. Null: it has no settings of its own. */
  readonly common: string | null;
}

/** git dies beyond this. */
const INCLUDES_MAX = 10;

const tooDeep = (path: string): Error =>
  Object.assign(new Error(`ELOOP: too many files include each other, read '${path}'`), {
    code: 'ELOOP',
    syscall: 'read',
    path,
  });

const isTrue = (value: string | undefined): boolean => /^(true|yes|on|1)$/i.test(value ?? '');

/** The path in a value; null where it begins at a home folder that is unknown. */
const pathOf = (value: string, from: string, home: GitHome | null): string | null => {
  if (value.startsWith('~/')) return home && join(home.dir, value.slice(2));
  return isAbsolute(value) ? value : resolve(from, value);
};

const realOf = (path: string): Promise<string> => realpath(path).catch(() => path);

const withSlashes = (path: string): string => (sep === '/' ? path : path.replaceAll(sep, '/'));

const matches = (pattern: string, path: string, letters: Letters): boolean => {
  const text = byteString(withSlashes(path));
  const glob = compileGlob(byteString(pattern), letters);
  return glob(letters === 'folded' ? lower(text) : text, 0, createWork(Number.POSITIVE_INFINITY));
};

/** Whether the condition of an `includeIf` in the file `config` holds; null where it is not judged. */
const holds = async (
  condition: string,
  config: string,
  { gitDir }: GitPlace,
  home: GitHome | null,
): Promise<boolean | null> => {
  const [, fold, written] = /^gitdir(\/i)?:(.*)$/s.exec(condition) ?? [];
  if (written === undefined) return null;
  const letters = fold === undefined ? 'exact' : 'folded';
  const literal = (path: string): string => withSlashes(path).replace(/[*?[\]\\]/g, '\\$&');
  let pattern = written;
  if (written.startsWith('~/')) {
    if (home === null) return null;
    pattern = literal(await realOf(home.dir)) + written.slice(1);
  } else if (/^\.[/\\]/.test(written)) pattern = literal(dirname(await realOf(config))) + written.slice(1);
  else if (!isAbsolute(written)) pattern = `**/${written}`;
  if (pattern.endsWith('/')) pattern += '**';
  for (const path of [await realOf(gitDir), gitDir]) if (matches(pattern, path, letters)) return true;
  // git also compares the path by which the user came, which may lead through a link.
  const fixed = /^[^*?[\\]*\//.exec(pattern)?.[0];
  if (fixed === undefined) return false;
  const real = literal(await realOf(fixed));
  return matches(`${real}/${pattern.slice(fixed.length)}`, await realOf(gitDir), letters) ? null : false;
};

/** Reads the settings as git does in this order: system, user, repository, work tree; the last one counts. */
export const readGitSettings = async (home: GitHome | null, place: GitPlace): Promise<GitSettings> => {
  const values = new Map<string, string>();
  const possible: string[] = [];

  const read = async (path: string, depth: number, certainty: 'certain' | 'possible'): Promise<void> => {
    const text = await readRulesIfThere(path);
    if (text === null) return;
    if (depth > INCLUDES_MAX) throw tooDeep(path);
    for (const { section, subsection, key, value } of settingsOf(text.toString())) {
      const name = subsection === null ? `${section}.${key}` : null;
      const isConditional = section === 'includeif' && subsection !== null && key === 'path';
      if (name === 'include.path' || isConditional) {
        const isMet = subsection === null || (await holds(subsection, path, place, home));
        const included = isMet === false ? null : pathOf(value, dirname(path), home);
        if (included !== null) await read(included, depth + 1, isMet === null ? 'possible' : certainty);
      } else if (name !== null && certainty === 'certain') values.set(name, value);
      else if (name === 'core.excludesfile') possible.push(value);
    }
  };

  const { top, gitDir, common } = place;
  const own = home ? [join(home.configDir, 'git', 'config'), join(home.dir, '.gitconfig')] : [];
  const shared = common === null ? [] : [join(common, 'config')];
  for (const path of ['/etc/gitconfig', ...own, ...shared]) await read(path, 0, 'certain');
  if (common !== null && isTrue(values.get('extensions.worktreeconfig')))
    await read(join(gitDir, 'config.worktree'), 0, 'certain');

  const configured = values.get('core.excludesfile');
  const usual = home && join(home.configDir, 'git', 'ignore');
  const paths = [
    configured === undefined ? usual : configured && pathOf(configured, top, home),
    ...possible.map((value) => value && pathOf(value, top, home)),
  ];
  return {
    excludesFiles: paths.flatMap((path) => path || []),
    letters: isTrue(values.get('core.ignorecase')) ? 'folded' : 'exact',
  };
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
