/**
 * Selects which files of a code folder are shared: first by path, then by content, in the order of API decisions 7. The
 * caller reads the files; the app and the server share these rules. Only the app also knows ignore files other than the
 * root .gitignore. Also drops the one top folder of an archive.
 */

import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { FolderResult, FolderSkip, GitignoreState, IgnoreRule } from '../../api/folder-result.ts';
import { SKIP_REASONS } from '../../api/folder-result.ts';
import { LIMITS } from '../../api/limits.ts';
import { comparePaths } from './compare-paths.ts';
import { holdsAccessKey, holdsPrivateKey } from './detect-secrets.ts';
import { createPathRules, type ExcludedPath } from './exclusion-rules.ts';
import { textOf } from './gitignore-file.ts';
import { type Exclusion, excludedBy } from './match-gitignore.ts';

/** A file of a folder: its path relative to the root, with '/', and its size in bytes. */
export interface FolderFile {
  readonly path: string;
  readonly size: number;
  /**
   * The rule of an ignore file other than the root .gitignore that excludes it. Known to the app, never to a server.
   */
  readonly ignoredBy?: IgnoreRule;
}

export const GITIGNORE = '.gitignore';

const FINDER = '__MACOSX/';

/**
 * Drops the one top folder that contains all files (API document, "Archive rules" 7). Files that Finder adds beside it
 * are ignored.
 */
export const stripTopFolder = <F extends FolderFile>(files: readonly F[]): readonly F[] => {
  const own = files.filter(({ path }) => !path.startsWith(FINDER));
  const first = own[0]?.path;
  const top = first?.slice(0, first.indexOf('/') + 1);
  if (!top || !own.every(({ path }) => path.startsWith(top))) return files;
  return files.map((file) => (file.path.startsWith(top) ? { ...file, path: file.path.slice(top.length) } : file));
};

/** Whether the bytes are UTF-8 text: well formed, and without NUL. */
export const isText = (bytes: Uint8Array): boolean => {
  const { length } = bytes;
  for (let at = 0; at < length; ) {
    const lead = bytes[at] as number;
    if (lead === 0) return false;
    if (lead < 0x80) {
      at += 1;
      continue;
    }
    const more =
      lead >= 0xc2 && lead <= 0xdf ? 1 : lead >= 0xe0 && lead <= 0xef ? 2 : lead >= 0xf0 && lead <= 0xf4 ? 3 : 0;
    if (more === 0 || at + more >= length) return false;
    const second = bytes[at + 1] as number;
    // No overlong form, no surrogate, nothing beyond U+10FFFF.
    const from = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const to = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (second < from || second > to) return false;
    for (let index = 2; index <= more; index += 1) {
      if (((bytes[at + index] as number) & 0xc0) !== 0x80) return false;
    }
    at += more + 1;
  }
  return true;
};

/** Equal for names that differ only in case, in any script; file systems keep a Turkish letter i without a dot apart. */
const fold = (path: string): string =>
  path
    .toLowerCase()
    .split('ı')
    .map((part) => part.toUpperCase())
    .join('ı');

/** Tracks names case-insensitively; a file collides with a file, and a file with a folder. */
const createNames = () => {
  const files = new Set<string>();
  const folders = new Set<string>();
  return {
    /** Adds the name unless it collides with an earlier one. */
    take: (path: string): boolean => {
      const folded = fold(path);
      const above: string[] = [];
      for (let slash = folded.indexOf('/'); slash >= 0; slash = folded.indexOf('/', slash + 1)) {
        above.push(folded.slice(0, slash));
      }
      if (files.has(folded) || folders.has(folded) || above.some((folder) => files.has(folder))) return false;
      files.add(folded);
      for (const folder of above) folders.add(folder);
      return true;
    },
  };
};

const createSkips = () => {
  const skips = new Map<string, FolderSkip>();
  return {
    add: ({ path, reason }: ExcludedPath, size: number): void => {
      const key = `${reason} ${path}`;
      const before = skips.get(key) ?? { path, reason, files: 0, size: 0 };
      skips.set(key, { ...before, files: before.files + 1, size: before.size + size });
    },
    sorted: (): readonly FolderSkip[] =>
      [...skips.values()].sort(
        (a, b) => comparePaths(a.path, b.path) || SKIP_REASONS.indexOf(a.reason) - SKIP_REASONS.indexOf(b.reason),
      ),
  };
};

export interface FolderSelection<F extends FolderFile> {
  /** Files that the path rules include, sorted. Offer each once, in this order. */
  readonly candidates: readonly F[];
  /** Decides on a candidate by its bytes. FOLDER_TOO_MANY_FILES and FOLDER_TOO_LARGE end the selection. */
  readonly add: (file: F, bytes: Uint8Array) => Result<'kept' | 'skipped'>;
  /** All paths excluded so far, sorted. */
  readonly skips: () => readonly FolderSkip[];
  /** The rule of an ignore file behind a skip; undefined for every other reason. */
  readonly ruleOf: (skip: FolderSkip) => IgnoreRule | undefined;
  readonly gitignore: GitignoreState;
  /** The result for all files; FOLDER_EMPTY if all are excluded. */
  readonly finish: () => Result<FolderResult>;
}

const judgeGitignore = (
  files: readonly FolderFile[],
  paths: readonly string[],
  source: Uint8Array | null,
): { readonly state: GitignoreState; readonly excluded: ReadonlyMap<string, Exclusion> } => {
  const nothing = new Map<string, Exclusion>();
  const root = files.find(({ path }) => path === GITIGNORE);
  if (root && root.size > LIMITS.folderFileBytes) return { state: 'complex', excluded: nothing };
  if (!root || !source || !isText(source)) return { state: 'none', excluded: nothing };
  const excluded = excludedBy(source, paths);
  return excluded ? { state: 'applied', excluded } : { state: 'complex', excluded: nothing };
};

/** Starts the selection. `gitignore` are the bytes of the root .gitignore, null when there is no readable one. */
export const selectFolder = <F extends FolderFile>(
  files: readonly F[],
  gitignore: Uint8Array | null,
): FolderSelection<F> => {
  const sorted = files.toSorted((a, b) => comparePaths(a.path, b.path));
  const rules = createPathRules(sorted.filter(({ ignoredBy }) => !ignoredBy).map(({ path }) => path));
  const skips = createSkips();
  const names = createNames();
  let keptFiles = 0;
  let textBytes = 0;

  const left = sorted.filter((file) => {
    const out = rules.before(file.path);
    if (out) skips.add(out, file.size);
    return !out;
  });
  const judged = judgeGitignore(
    files,
    left.map(({ path }) => path),
    gitignore,
  );

  const ignored = new Map<string, IgnoreRule>();
  const ignoring = (path: string, rule: IgnoreRule | undefined): ExcludedPath => {
    if (rule && !ignored.has(path)) ignored.set(path, rule);
    return { path, reason: 'gitignore' };
  };
  const exclusionOf = ({ path, size, ignoredBy }: F): ExcludedPath | null => {
    if (path === GITIGNORE) return ignoring(path, undefined);
    const out = judged.excluded.get(path);
    if (out) return ignoring(out.path, { file: GITIGNORE, line: out.by.line, pattern: textOf(out.by.pattern) });
    if (ignoredBy) return ignoring(path, ignoredBy);
    return rules.after(path) ?? (size > LIMITS.folderFileBytes ? { path, reason: 'large' } : null);
  };

  const candidates = left.filter((file) => {
    const out = exclusionOf(file);
    if (out) skips.add(out, file.size);
    return !out;
  });

  const byBytes = (path: string, bytes: Uint8Array): ExcludedPath | null => {
    if (holdsPrivateKey(bytes)) return { path, reason: 'secret' };
    if (/(^|\/)\.env\.example$/i.test(path) && holdsAccessKey(bytes)) return { path, reason: 'secret' };
    if (!isText(bytes)) return { path, reason: 'binary' };
    return names.take(path) ? null : { path, reason: 'duplicate' };
  };

  const tooMany: Failure = failure(
    'FOLDER_TOO_MANY_FILES',
    `More than ${LIMITS.folderFiles} files are left after filtering. Share a part of the folder, or exclude more in its .gitignore.`,
    { params: { limitFiles: LIMITS.folderFiles } },
  );
  const tooLarge: Failure = failure(
    'FOLDER_TOO_LARGE',
    `More than ${LIMITS.folderTextBytes / 1024 ** 2} MB of text are left after filtering. Share a part of the folder, or exclude more in its .gitignore.`,
    { params: { limitBytes: LIMITS.folderTextBytes } },
  );

  return {
    candidates,
    skips: skips.sorted,
    ruleOf: ({ path, reason }) => (reason === 'gitignore' ? ignored.get(path) : undefined),
    gitignore: judged.state,
    add: (file, bytes) => {
      const out = byBytes(file.path, bytes);
      if (out) {
        skips.add(out, file.size);
        return ok('skipped');
      }
      keptFiles += 1;
      textBytes += bytes.length;
      if (keptFiles > LIMITS.folderFiles) return err(tooMany);
      return textBytes > LIMITS.folderTextBytes ? err(tooLarge) : ok('kept');
    },
    finish: () => {
      if (keptFiles === 0) {
        return err(
          failure(
            'FOLDER_EMPTY',
            'No files are left after filtering: nothing in this folder is text that may be shared.',
          ),
        );
      }
      const skipped = skips.sorted();
      return ok({
        files: keptFiles,
        textBytes,
        skipped: skipped.slice(0, LIMITS.folderSkippedListed),
        skippedFiles: skipped.reduce((total, { files: count }) => total + count, 0),
        gitignore: judged.state,
      });
    },
  };
};
