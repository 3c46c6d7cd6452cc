/**
 * What the app tells of a folder before and after sending it: all that goes, all that stays out and why, and how much of
 * each limit that takes. Sizes in bytes.
 */
import Type, { type Static } from 'typebox';
import { literals, Nullable } from '../../api/content.ts';
import { Failure } from '../../api/errors.ts';
import { type FolderResult, FolderSkip, GitignoreState, IgnoreRule, SKIP_REASONS } from '../../api/folder-result.ts';
import { comparePaths, type FolderSelection } from './selection.ts';

/**
 * The service's reasons, and what only the app can meet: a link of the file system, a device, pipe or socket, what cannot
 * be read, a name that is not UTF-8, and a repository inside the repository, which git leaves out as well.
 */
const STAY_REASONS = [...SKIP_REASONS, 'link', 'special', 'unreadable', 'encoding', 'repository'] as const;
export const StayReason = literals(...STAY_REASONS);
export type StayReason = Static<typeof StayReason>;

/** A file that stays out, or a whole folder when `path` ends with '/'. Null: nobody looked into the folder to count. */
export const StaysOut = Type.Object({
  path: FolderSkip.properties.path,
  reason: StayReason,
  files: Nullable(FolderSkip.properties.files),
  size: Nullable(FolderSkip.properties.size),
  /** Of what git ignores: the line that says so. A .gitignore itself stays out by no rule. */
  rule: Type.Optional(IgnoreRule),
});
export type StaysOut = Static<typeof StaysOut>;

/** What became of a folder. `skipped` are the first that stay out, sorted by path. */
export const FolderAccount = Type.Object({
  files: Type.Integer({ minimum: 0 }),
  textBytes: Type.Integer({ minimum: 0 }),
  skipped: Type.Array(StaysOut),
  /** Files that were counted out, listed or not; and whole folders that were not looked into, which come on top. */
  skippedFiles: Type.Integer({ minimum: 0 }),
  uncountedFolders: Type.Integer({ minimum: 0 }),
  gitignore: GitignoreState,
});
export type FolderAccount = Static<typeof FolderAccount>;

/** How far reading a folder is. `share`, from 0 to 1, is of the files that have to be looked into; null: still counting. */
export const FolderProgress = Type.Object({ files: Type.Integer({ minimum: 0 }), share: Nullable(Type.Number()) });
export type FolderProgress = Static<typeof FolderProgress>;

export const FolderPreview = Type.Object({
  name: Type.String(),
  ...FolderAccount.properties,
  /** All that goes, sorted by path. */
  goes: Type.Array(Type.Object({ path: Type.String(), size: Type.Integer({ minimum: 0 }) })),
  /** The archive will not have more bytes than this. */
  archiveBytesAtMost: Type.Integer({ minimum: 0 }),
  /** Why the folder cannot be shared as it is; null when it can. */
  refusal: Nullable(Failure),
  /** Files that nobody looked into, because a limit was passed before their turn. */
  unread: Type.Integer({ minimum: 0 }),
});
export type FolderPreview = Static<typeof FolderPreview>;

/** What a selection left out, with the rules of ignore files that it knows. */
export const staysOut = ({ skips, ruleOf }: Pick<FolderSelection<never>, 'skips' | 'ruleOf'>): readonly StaysOut[] =>
  skips().map((skip) => {
    const rule = ruleOf(skip);
    return rule ? { ...skip, rule } : skip;
  });

/** The account of all `skips`, listing the first `listed` of them. */
export const accountOf = (
  kept: { readonly files: number; readonly textBytes: number },
  skips: readonly StaysOut[],
  gitignore: GitignoreState,
  listed: number,
): FolderAccount => ({
  ...kept,
  skipped: skips.toSorted((a, b) => comparePaths(a.path, b.path)).slice(0, listed),
  skippedFiles: skips.reduce((total, { files }) => total + (files ?? 0), 0),
  uncountedFolders: skips.filter(({ files }) => files === null).length,
  gitignore,
});

/** The account with the service's own word: what it left out beyond what the app had, and what it kept. */
export const withServiceResult = (account: FolderAccount, result: FolderResult, listed: number): FolderAccount => {
  const merged = accountOf(result, [...account.skipped, ...result.skipped], account.gitignore, listed);
  return {
    ...merged,
    skippedFiles: account.skippedFiles + result.skippedFiles,
    uncountedFolders: account.uncountedFolders,
  };
};
