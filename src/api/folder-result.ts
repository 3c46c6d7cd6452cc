/** What sharing a folder of code answers (API document, "Folder result" and "POST /api/v1/folders"). Sizes in bytes. */
import Type, { type Static } from 'typebox';
import { literals } from './content.ts';
import { LIMITS } from './limits.ts';

/** Why a file stays out, in the order in which the reasons are checked (decisions 7). */
export const SKIP_REASONS = [
  'service',
  'dependencies',
  'build',
  'secret',
  'gitignore',
  'name',
  'path',
  'large',
  'binary',
  'duplicate',
] as const;
export const SkipReason = literals(...SKIP_REASONS);
export type SkipReason = Static<typeof SkipReason>;

/** applied; none: no readable root .gitignore; complex: its patterns needed too much work, so none of them is applied. */
export const GitignoreState = literals('applied', 'none', 'complex');
export type GitignoreState = Static<typeof GitignoreState>;

/** The line of an ignore file that left something out. `line` counts from one. */
export const IgnoreRule = Type.Object({
  file: Type.String(),
  line: Type.Integer({ minimum: 1 }),
  pattern: Type.String(),
});
export type IgnoreRule = Static<typeof IgnoreRule>;

/** A file that was left out, or a whole folder when `path` ends with '/'. `size` is uncompressed. */
export const FolderSkip = Type.Object({
  path: Type.String(),
  reason: SkipReason,
  files: Type.Integer({ minimum: 1 }),
  size: Type.Integer({ minimum: 0 }),
});
export type FolderSkip = Static<typeof FolderSkip>;

/** What is left of a folder, and what is not: the first skips sorted by path; `skippedFiles` counts all of them. */
export const FolderResult = Type.Object({
  files: Type.Integer({ minimum: 1 }),
  textBytes: Type.Integer({ minimum: 0 }),
  skipped: Type.Array(FolderSkip, { maxItems: LIMITS.folderSkippedListed }),
  skippedFiles: Type.Integer({ minimum: 0 }),
  gitignore: GitignoreState,
});
export type FolderResult = Static<typeof FolderResult>;
