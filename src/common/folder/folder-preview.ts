/**
 * Schemas of what the app shows before and after sharing a folder: the progress of scanning it, the included files, the
 * excluded ones with their reasons, and the totals. Also builds this summary, and adds what the service excluded. Sizes
 * in bytes.
 */
import Type, { type Static } from 'typebox';
import { Failure } from '../../api/errors.ts';
import { type FolderResult, FolderSkip, GitignoreState, IgnoreRule, SKIP_REASONS } from '../../api/folder-result.ts';
import { literals, Nullable } from '../../api/nullable-and-literals.ts';
import { comparePaths } from './compare-paths.ts';
import type { FolderSelection } from './select-files.ts';

/**
 * The service's reasons, and those that only the app can meet: a symbolic link, a device, pipe or socket, an unreadable
 * file, a name that is not UTF-8, and a nested repository, which git excludes as well.
 */
const EXCLUSION_REASONS = [...SKIP_REASONS, 'link', 'special', 'unreadable', 'encoding', 'repository'] as const;
export const ExclusionReason = literals(...EXCLUSION_REASONS);
export type ExclusionReason = Static<typeof ExclusionReason>;

/** An excluded file, or a whole folder when `path` ends with '/'. Null: the folder was not scanned to count. */
export const ExcludedEntry = Type.Object({
  path: FolderSkip.properties.path,
  reason: ExclusionReason,
  files: Nullable(FolderSkip.properties.files),
  size: Nullable(FolderSkip.properties.size),
  /** For git-ignored paths: the line that excludes them. A .gitignore itself is excluded without a rule. */
  rule: Type.Optional(IgnoreRule),
});
export type ExcludedEntry = Static<typeof ExcludedEntry>;

/** The result for a folder. `skipped` are the first excluded paths, sorted. */
export const FolderSummary = Type.Object({
  files: Type.Integer({ minimum: 0 }),
  textBytes: Type.Integer({ minimum: 0 }),
  skipped: Type.Array(ExcludedEntry),
  /**
   * Excluded files that were counted, listed or not; and whole folders that were not scanned, which are counted
   * separately.
   */
  skippedFiles: Type.Integer({ minimum: 0 }),
  uncountedFolders: Type.Integer({ minimum: 0 }),
  gitignore: GitignoreState,
});
export type FolderSummary = Static<typeof FolderSummary>;

/**
 * Progress of scanning a folder. `share`, from 0 to 1, refers to the files that have to be scanned; null: still
 * counting.
 */
export const FolderProgress = Type.Object({ files: Type.Integer({ minimum: 0 }), share: Nullable(Type.Number()) });
export type FolderProgress = Static<typeof FolderProgress>;

export const FolderPreview = Type.Object({
  name: Type.String(),
  ...FolderSummary.properties,
  /** All included files, sorted by path. */
  goes: Type.Array(Type.Object({ path: Type.String(), size: Type.Integer({ minimum: 0 }) })),
  /** Upper bound of the archive's size in bytes. */
  archiveBytesAtMost: Type.Integer({ minimum: 0 }),
  /** Why the folder cannot be shared as it is; null when it can. */
  refusal: Nullable(Failure),
  /** Files that were not scanned, because a limit was passed first. */
  unread: Type.Integer({ minimum: 0 }),
});
export type FolderPreview = Static<typeof FolderPreview>;

/** What a selection excluded, with the ignore rules it knows. */
export const excludedEntriesOf = ({
  skips,
  ruleOf,
}: Pick<FolderSelection<never>, 'skips' | 'ruleOf'>): readonly ExcludedEntry[] =>
  skips().map((skip) => {
    const rule = ruleOf(skip);
    return rule ? { ...skip, rule } : skip;
  });

/** Summary of all `skips`, listing the first `listed` of them. */
export const folderSummaryOf = (
  kept: { readonly files: number; readonly textBytes: number },
  skips: readonly ExcludedEntry[],
  gitignore: GitignoreState,
  listed: number,
): FolderSummary => ({
  ...kept,
  skipped: skips.toSorted((a, b) => comparePaths(a.path, b.path)).slice(0, listed),
  skippedFiles: skips.reduce((total, { files }) => total + (files ?? 0), 0),
  uncountedFolders: skips.filter(({ files }) => files === null).length,
  gitignore,
});

/** Adds the service's result to the summary: what it excluded beyond the app's exclusions, and what it kept. */
export const withServiceResult = (summary: FolderSummary, result: FolderResult, listed: number): FolderSummary => {
  const merged = folderSummaryOf(result, [...summary.skipped, ...result.skipped], summary.gitignore, listed);
  return {
    ...merged,
    skippedFiles: summary.skippedFiles + result.skippedFiles,
    uncountedFolders: summary.uncountedFolders,
  };
};
