/**
 * Finds which paths of a folder one .gitignore excludes, and by which pattern, exactly as `git check-ignore` does. The
 * work is limited to about a second; if the file needs more, none of its patterns apply and the result is null.
 */
import { byteString, type Pattern, readIgnoreFile } from './gitignore-file.ts';
import { createWork } from './gitignore-glob.ts';

/** Step limit of one evaluation; about a second of a processor of 2.5 GHz. */
const MAX_STEPS = 40_000_000;

/**
 * An excluded path: its outermost excluded folder, ending with '/', or the path itself; and the pattern that excludes
 * it.
 */
export interface Exclusion {
  readonly path: string;
  readonly by: Pattern;
}

/**
 * What excludes each excluded one of `paths` (files, relative, with '/'). Null when the patterns would need too much
 * work: then nothing is evaluated.
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
    return verdict?.decision === 'out' ? verdict : null;
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
      // A path inside an excluded folder cannot be re-included.
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
