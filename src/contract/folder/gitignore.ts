/**
 * Judges paths by one .gitignore exactly as `git check-ignore` does. The work is counted and bounded, and stars never
 * multiply it, so no pattern can hang whoever asks.
 */
import { byteString, readIgnoreFile } from './gitignore-file.ts';
import { createWork } from './gitignore-glob.ts';

/** Steps that one judgement may take; about a third of a second. */
const MAX_STEPS = 40_000_000;

/**
 * For each excluded one of `paths` (files, relative, with '/') what excludes it: its outermost excluded folder, ending
 * with '/', or the path itself. Null when the patterns would take too much work: then nothing is judged.
 */
export const excludedBy = (
  source: Uint8Array,
  paths: Iterable<string>,
  maxSteps: number = MAX_STEPS,
): ReadonlyMap<string, string> | null => {
  const file = readIgnoreFile(source);
  const work = createWork(maxSteps);
  const folders = new Map<string, boolean>();
  const excluded = new Map<string, string>();

  const isExcluded = (path: string, kind: 'file' | 'folder'): boolean =>
    file.judge(byteString(path), kind, work) === 'out';

  const isExcludedFolder = (path: string): boolean => {
    work.left -= path.length;
    const known = folders.get(path);
    if (known !== undefined) return known;
    const answer = isExcluded(path, 'folder');
    folders.set(path, answer);
    return answer;
  };

  const judge = (path: string): string | null => {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      // What is inside an excluded folder cannot be taken back in.
      if (isExcludedFolder(path.slice(0, slash))) return path.slice(0, slash + 1);
      if (work.left < 0) return null;
    }
    return isExcluded(path, 'file') ? path : null;
  };

  for (const path of paths) {
    const by = judge(path);
    if (work.left < 0) return null;
    if (by !== null) excluded.set(path, by);
  }
  return excluded;
};
