/**
 * Schemas of the response to sharing a folder of code (API document, "Folder result" and "POST /api/v1/folders"). Sizes
 * in bytes.
 */
import Type, { type Static } from 'typebox';
import { LIMITS } from './limits.ts';
import { literals } from './nullable-and-literals.ts';

/** Why a file is excluded, in the order in which the reasons are checked (API decisions 7). */
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

/**
 * applied; none: no readable root .gitignore; complex: it is too large or its patterns exceeded the work limit, so no
 * pattern is applied.
 */
export const GitignoreState = literals('applied', 'none', 'complex');
export type GitignoreState = Static<typeof GitignoreState>;

/** The line of an ignore file that excluded something. `line` counts from one. */
export const IgnoreRule = Type.Object({
  file: Type.String(),
  line: Type.Integer({ minimum: 1 }),
  pattern: Type.String(),
});
export type IgnoreRule = Static<typeof IgnoreRule>;

/** An excluded file, or a whole folder when `path` ends with '/'. `size` is uncompressed. */
export const FolderSkip = Type.Object({
  path: Type.String(),
  reason: SkipReason,
  files: Type.Integer({ minimum: 1 }),
  size: Type.Integer({ minimum: 0 }),
});
export type FolderSkip = Static<typeof FolderSkip>;

/**
 * What a folder share contains and what it excludes: the first skips sorted by path; `skippedFiles` counts all of them.
 */
export const FolderResult = Type.Object({
  files: Type.Integer({ minimum: 1 }),
  textBytes: Type.Integer({ minimum: 0 }),
  skipped: Type.Array(FolderSkip, { maxItems: LIMITS.folderSkippedListed }),
  skippedFiles: Type.Integer({ minimum: 0 }),
  gitignore: GitignoreState,
});
export type FolderResult = Static<typeof FolderResult>;
