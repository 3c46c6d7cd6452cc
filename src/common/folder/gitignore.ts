/**
 * Judges paths by one .gitignore exactly as `git check-ignore` does. The work is counted and bounded, and stars never
 * multiply it, so no pattern can hang whoever asks.
 */
import { byteString, type Pattern, readIgnoreFile } from './gitignore-file.ts';
import { createWork } from './gitignore-glob.ts';

/** Steps that one judgement may take; about a third of a second. */
const MAX_STEPS = 40_000_000;

/** What is out, its outermost excluded folder, ending with '/', or the path itself; and the pattern that says so. */
export interface Exclusion {
  readonly path: string;
  readonly by: Pattern;
}

/**
 * For each excluded one of `paths` (files, relative, with '/') what excludes it. Null when the patterns would take too much work: then nothing is judged.
 */
export const excludedBy = (
  source: Uint8Array,
  paths: Iterable<string>,
  maxSteps: number = MAX_STEPS,
): ReadonlyMap<string, Exclusion> | null => {
  const file = readIgnoreFile(source);
  const work = createWork(maxSteps);
  const folders = new Map<string, Pattern | null>();
  const excluded = new Map<string, Exclusion>();

  const exclusion = (path: string, kind: 'file' | 'folder'): Pattern | null => {
    const verdict = file.judge(byteString(path), kind, work);
    return verdict?.says === 'out' ? verdict : null;
  };

  const exclusionOfFolder = (path: string): Pattern | null => {
    work.left -= path.length;
    const known = folders.get(path);
    if (known !== undefined) return known;
    const answer = exclusion(path, 'folder');
    folders.set(path, answer);
    return answer;
  };

  const judge = (path: string): Exclusion | null => {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      // What is inside an excluded folder cannot be taken back in.
      const by = exclusionOfFolder(path.slice(0, slash));
      if (by !== null) return { path: path.slice(0, slash + 1), by };
      if (work.left < 0) return null;
    }
    const by = exclusion(path, 'file');
    return by && { path, by };
  };

  for (const path of paths) {
    const exclusionOfFile = judge(path);
    if (work.left < 0) return null;
    if (exclusionOfFile !== null) excluded.set(path, exclusionOfFile);
  }
  return excluded;
};
