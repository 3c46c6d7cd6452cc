/**
 * All ignore files that git looks at for a path, with its order of precedence: the .gitignore of the innermost folder
 * first, those above it next, then `.git/info/exclude`, then the person's own file. The first that says anything decides.
 */

import type { IgnoreRule } from '../../api/folder-result.ts';
import { type IgnoreFile, textOf } from './gitignore-file.ts';
import { createWork } from './gitignore-glob.ts';

/** An ignore file and the folder that its patterns are about: a byte string that ends with '/', or '' for the top. */
export interface IgnoreLayer {
  readonly base: string;
  /** As a person is told where it is: `src/.gitignore`, `.git/info/exclude`. */
  readonly name: string;
  readonly file: IgnoreFile;
}

/** Of the person's own files on the person's own machine no pattern is left out for its work, which is never exponential. */
const work = createWork(Number.POSITIVE_INFINITY);

/**
 * The rule by which the layers, the strongest first, leave a path out; null when they do not. `path` is a byte string from the top on; the folders above
 * it are not asked about again.
 */
export const ignoredBy = (layers: readonly IgnoreLayer[], path: string, kind: 'file' | 'folder'): IgnoreRule | null => {
  for (const { base, name, file } of layers) {
    const verdict = file.judge(path.slice(base.length), kind, work);
    if (verdict === null) continue;
    const { says, line, pattern } = verdict;
    return says === 'out' ? { file: name, line, pattern: textOf(pattern) } : null;
  }
  return null;
};
