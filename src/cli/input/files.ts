/**
 * Expands words on the command line to files: themselves, or the matches of a pattern that the shell did not expand.
 */
import { glob, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { err, failure, ok, type Result } from '../../api/errors.ts';

const PATTERN = /[*?]|\[[^\]]+\]|\{[^}]*,[^}]*\}/;

export interface NamedFile {
  /** As typed, or as matched by the pattern. */
  readonly name: string;
  readonly path: Result<string>;
}

/**
 * A word that is an existing file means that file, whatever characters it has. A pattern yields its matches sorted by
 * name, without folders and hidden files, as a shell does.
 */
export const filesOf = async (word: string, cwd: string): Promise<readonly NamedFile[]> => {
  const path = resolve(cwd, word);
  return PATTERN.test(word) && (await kindOf(path)) === null
    ? matches(word, cwd)
    : [{ name: word, path: await checked(path) }];
};

/** What the path is; null if it does not exist. */
const kindOf = async (path: string): Promise<'folder' | 'other' | null> => {
  const facts = await stat(path).catch(() => null);
  if (!facts) return null;
  return facts.isDirectory() ? 'folder' : 'other';
};

/** A folder is never published implicitly: `upload *` must not share the code beside the pictures. */
const checked = async (path: string): Promise<Result<string>> =>
  (await kindOf(path)) === 'folder'
    ? err(failure('SOURCE_NOT_A_FILE', 'This is a folder.', { params: { kind: 'folder' } }))
    : ok(path);

const matches = async (pattern: string, cwd: string): Promise<readonly NamedFile[]> => {
  const found: string[] = [];
  const showsHidden = basename(pattern).startsWith('.');
  for await (const name of glob(pattern, { cwd })) {
    if (!showsHidden && /(^|[\\/])\.[^.\\/]/.test(name)) continue;
    if ((await kindOf(resolve(cwd, name))) === 'other') found.push(name);
  }
  if (found.length === 0)
    return [{ name: pattern, path: err(failure('SOURCE_MISSING', 'No file matches.', { params: { pattern } })) }];
  return found.sort().map((name) => ({ name, path: ok(resolve(cwd, name)) }));
};
