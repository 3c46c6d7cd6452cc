/**
 * Decides whether the ignore files that git applies to a path exclude it. The caller passes them in git's order of
 * precedence: the .gitignore of the innermost folder first, then those above it, then `.git/info/exclude`, then the
 * user's global file. The first file with a match decides.
 */

import type { IgnoreRule } from '../../api/folder-result.ts';
import { type IgnoreFile, textOf } from './gitignore-file.ts';
import { createWork } from './gitignore-glob.ts';

/** An ignore file and the folder that its patterns apply to: a byte string that ends with '/', or '' for the top. */
export interface IgnoreLayer {
  readonly base: string;
  /** As shown to the user: `src/.gitignore`, `.git/info/exclude`. */
  readonly name: string;
  readonly file: IgnoreFile;
}

/** Unlimited work for the user's own files on the user's own machine; it is never exponential. */
const work = createWork(Number.POSITIVE_INFINITY);

/**
 * The rule by which the layers, the strongest first, exclude a path; null when they do not. `path` is a byte string
 * relative to the top; its parent folders are not checked again.
 */
export const ignoredBy = (layers: readonly IgnoreLayer[], path: string, kind: 'file' | 'folder'): IgnoreRule | null => {
  for (const { base, name, file } of layers) {
    const verdict = file.judge(path.slice(base.length), kind, work);
    if (verdict === null) continue;
    const { decision, line, pattern } = verdict;
    return decision === 'out' ? { file: name, line, pattern: textOf(pattern) } : null;
  }
  return null;
};
