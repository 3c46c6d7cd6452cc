/**
 * Reads the git settings about ignoring, also from files that others include: the paths of the user's ignore files, case
 * sensitivity, and the composition of names.
 */
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { isTrue, settingsOf } from '../../common/folder/git-config-file.ts';
import { byteString, lower } from '../../common/folder/gitignore-file.ts';
import { compileGlob, createWork, type Letters } from '../../common/folder/gitignore-glob.ts';
import type { GitHome } from './git-home.ts';
import { readRulesIfThere } from './optional-files.ts';
import { ANYWHERE, pathFrom, type Reach } from './reach.ts';

/** A file that settings name. */
interface NamedFile {
  readonly path: string;
  /** Of whoever names it. */
  readonly reach: Reach;
}

/**
 * How the names in a folder are compared: as they are listed or composed (`core.precomposeunicode`, which counts on
 * macOS alone). `either`: it is not set there; what one of both excludes stays out.
 */
export type Names = 'listed' | 'composed' | 'either';

const namesOf = (setting: string | undefined, platform: NodeJS.Platform): Names => {
  if (platform !== 'darwin') return 'listed';
  return setting === undefined ? 'either' : isTrue(setting) ? 'composed' : 'listed';
};

export interface GitSettings {
  /**
   * The user's ignore files, whether or not they exist: the one that git reads, and those it reads under a condition
   * that is not judged here. What any of them excludes stays out.
   */
  readonly excludesFiles: readonly NamedFile[];
  /** Whether names that differ only by case are equal (`core.ignorecase`). */
  readonly letters: Letters;
  readonly names: Names;
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

const unknownPlace = (path: string): Error =>
  Object.assign(new Error(`EINVAL: unknown folder, read '${path}'`), { code: 'EINVAL', syscall: 'read', path });

/** The home folder of a user by name. */
const homeOf = async (name: string, { dir, user, platform }: GitHome): Promise<string | null> => {
  const users = platform === 'win32' ? null : await readRulesIfThere('/etc/passwd', ANYWHERE);
  const entries =
    users
      ?.toString()
      .split('\n')
      .map((line) => line.split(':')) ?? [];
  return entries.find(([known]) => known === name)?.[5] ?? (name === user ? dir : null);
};

/** What begins at a folder of the user or of git. */
const PLACED = /^(?:~([^/]*)|%\(prefix\)(?=\/))(?:\/(.*))?$/s;

/**
 * The path in a value; null where it begins at a folder of the user whose settings do not count. Rejects with EINVAL
 * where that folder is unknown; git dies.
 */
const pathOf = async (value: string, from: string, home: GitHome | null): Promise<string | null> => {
  const [placed, user, rest = ''] = PLACED.exec(value) ?? [];
  if (placed === undefined) return pathFrom(from, value);
  if (home === null) return null;
  const folder = user === undefined ? home.prefix : user === '' ? home.dir : await homeOf(user, home);
  if (folder === null) throw unknownPlace(value);
  return join(folder, rest);
};

const realOf = async (path: string, reach: Reach): Promise<string> => {
  await reach(path);
  return realpath(path).catch(() => path);
};

const withSlashes = (path: string): string => (sep === '/' ? path : path.replaceAll(sep, '/'));

const matches = (pattern: string, path: string, letters: Letters): boolean => {
  const text = byteString(withSlashes(path));
  const glob = compileGlob(byteString(pattern), letters);
  return glob(letters === 'folded' ? lower(text) : text, 0, createWork(Number.POSITIVE_INFINITY));
};

/** Whether the condition of an `includeIf` in the file `config` holds; null where it is not judged. */
const holds = async (
  condition: string,
  config: NamedFile,
  { gitDir }: GitPlace,
  { home, reach }: GitAccess,
): Promise<boolean | null> => {
  const [, fold, written] = /^gitdir(\/i)?:(.*)$/s.exec(condition) ?? [];
  if (written === undefined) return null;
  const letters = fold === undefined ? 'exact' : 'folded';
  const literal = (path: string): string => withSlashes(path).replace(/[*?[\]\\]/g, '\\$&');
  let pattern = written;
  if (PLACED.test(written)) {
    if (!written.startsWith('~/') || !home?.dir) return null;
    pattern = literal(await realOf(home.dir, ANYWHERE)) + written.slice(1);
  } else if (/^\.[/\\]/.test(written))
    pattern = literal(dirname(await realOf(config.path, config.reach))) + written.slice(1);
  else if (!isAbsolute(written)) pattern = `**/${written}`;
  if (pattern.endsWith('/')) pattern += '**';
  const realGitDir = await realOf(gitDir, reach);
  for (const path of [realGitDir, gitDir]) if (matches(pattern, path, letters)) return true;
  // git also compares the path by which the user came, which may lead through a link.
  const fixed = /^[^*?[\\]*\//.exec(pattern)?.[0];
  if (fixed === undefined) return false;
  const real = literal(await realOf(fixed, config.reach));
  return matches(`${real}/${pattern.slice(fixed.length)}`, realGitDir, letters) ? null : false;
};

/** What may be read for a folder, besides the folder itself. */
export interface GitAccess {
  /** Null: none of the user's own settings. */
  readonly home: GitHome | null;
  /** Of the paths that the folder names. */
  readonly reach: Reach;
}

/** Reads the settings as git does in this order: system, user, repository, work tree; the last one counts. */
export const readGitSettings = async (access: GitAccess, place: GitPlace): Promise<GitSettings> => {
  const { home, reach } = access;
  const { top, gitDir, common } = place;
  const values = new Map<string, string>();
  let configured: readonly NamedFile[] = (home?.ignoreFiles ?? []).map((path) => ({ path, reach: ANYWHERE }));
  const possible: NamedFile[] = [];

  /** A relative path leads into the folder, whoever names it. */
  const excludesFile = async (value: string, named: Reach): Promise<readonly NamedFile[]> => {
    const path = value && (await pathOf(value, top, home));
    return path ? [{ path, reach: isAbsolute(value) || PLACED.test(value) ? named : reach }] : [];
  };

  const read = async (file: NamedFile, depth: number, certainty: 'certain' | 'possible'): Promise<void> => {
    const text = await readRulesIfThere(file.path, file.reach);
    if (text === null) return;
    if (depth > INCLUDES_MAX) throw tooDeep(file.path);
    for (const { section, subsection, key, value } of settingsOf(text.toString())) {
      const name = subsection === null ? `${section}.${key}` : null;
      const isConditional = section === 'includeif' && subsection !== null && key === 'path';
      if (name === 'include.path' || isConditional) {
        const isMet = subsection === null || (await holds(subsection, file, place, access));
        const path = isMet === false ? null : await pathOf(value, dirname(file.path), home);
        if (path !== null) await read({ ...file, path }, depth + 1, isMet === null ? 'possible' : certainty);
      } else if (name === 'core.excludesfile') {
        const found = await excludesFile(value, file.reach);
        if (certainty === 'certain') configured = found;
        else possible.push(...found);
      } else if (name !== null && certainty === 'certain') values.set(name, value);
    }
  };

  for (const path of home?.configs ?? []) await read({ path, reach: ANYWHERE }, 0, 'certain');
  if (common !== null) await read({ path: join(common, 'config'), reach }, 0, 'certain');
  if (common !== null && isTrue(values.get('extensions.worktreeconfig')))
    await read({ path: join(gitDir, 'config.worktree'), reach }, 0, 'certain');

  return {
    excludesFiles: [...configured, ...possible],
    letters: isTrue(values.get('core.ignorecase')) ? 'folded' : 'exact',
    names: namesOf(values.get('core.precomposeunicode'), home?.platform ?? process.platform),
  };
};
