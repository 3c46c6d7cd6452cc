/**
 * Walks a code folder by the rules of git and the service. Yields the files with their sizes, and what was excluded and
 * why. Follows no links, opens no devices and does not descend into excluded folders.
 */
import { isUtf8 } from 'node:buffer';
import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { IgnoreRule } from '../../api/folder-result.ts';
import { LIMITS } from '../../api/limits.ts';
import { isSystemError } from '../../base/node/system-error.ts';
import {
  folderReason,
  folderReasonOutside,
  isSecretFolder,
  levelsOf,
  type Signs,
  signsOf,
} from '../../common/folder/exclusion-rules.ts';
import type { ExcludedEntry, ExclusionReason } from '../../common/folder/folder-preview.ts';
import { type FolderFile, GITIGNORE } from '../../common/folder/select-files.ts';
import type { GitAccess } from './git-config.ts';
import type { GitHome } from './git-home.ts';
import {
  type GitView,
  gitEntry,
  isRepository,
  openNested,
  openRepository,
  readGitignore,
  within,
} from './git-repository.ts';
import { ifThere } from './optional-files.ts';
import { createReach } from './reach.ts';

/** The entries of one folder. */
export interface Found {
  readonly files: readonly FolderFile[];
  readonly skips: readonly ExcludedEntry[];
  /** Of the entries that are unreadable, with their paths. */
  readonly errors?: readonly NodeJS.ErrnoException[];
}

/** Files that are inspected concurrently. */
const CONCURRENT_STATS = 64;

/** A folder still to be walked. `path` ends with '/', and is '' at the root. */
interface PendingFolder {
  readonly path: string;
  readonly name: string;
  readonly git: GitView;
  /** Why only its tracked files count: git ignores it by this rule, or it is another repository. Null: all count. */
  readonly excluded: IgnoreRule | 'repository' | null;
  readonly beside: Signs;
}

interface Entry {
  readonly name: string;
  /** Relative to the top of the repository. */
  readonly gitPath: string;
  readonly kind: 'file' | 'folder';
  readonly ignored: IgnoreRule | null;
}

/** What is known of an entry without opening it. */
interface Listed {
  readonly name: string;
  /** Why it is not known. */
  readonly error?: NodeJS.ErrnoException;
  isDirectory(): boolean;
  isFile(): boolean;
  isSymbolicLink(): boolean;
}

const uncounted = (path: string, reason: ExclusionReason): ExcludedEntry => ({ path, reason, files: null, size: null });
const single = (path: string, reason: ExclusionReason, size = 0): ExcludedEntry => ({ path, reason, files: 1, size });

/**
 * Yields the files of `root` folder by folder, in no guaranteed order; each `path` is relative, with '/'. `root` is
 * absolute, with its links resolved. Rejects when the root itself or a rule of git cannot be read, and with the signal's
 * reason.
 */
export async function* walkFolder(root: string, home: GitHome | null, signal: AbortSignal): AsyncGenerator<Found> {
  const access = {
    home,
    reach: createReach(home?.dir ? [root, home.dir] : [root], home?.platform ?? process.platform),
  };
  const pendingFolders: PendingFolder[] = [
    {
      path: '',
      name: '',
      git: await openRepository(root, access),
      excluded: null,
      beside: { isVendor: false, isDotnet: false },
    },
  ];
  for (let pending = pendingFolders.pop(); pending; pending = pendingFolders.pop()) {
    signal.throwIfAborted();
    yield* walkPending(root, pending, access, (next) => pendingFolders.push(next), signal);
  }
}

async function* walkPending(
  root: string,
  pending: PendingFolder,
  access: GitAccess,
  enter: (pending: PendingFolder) => void,
  signal: AbortSignal,
): AsyncGenerator<Found> {
  const folder = join(root, pending.path);
  const listing = await list(folder, pending.path === '' ? 'must' : 'may');
  if (listing instanceof Error)
    return yield { files: [], skips: [uncounted(pending.path, 'unreadable')], errors: [listing] };
  // Before its rules of git, which may be unreadable.
  if (pending.path !== '' && isSecretFolder(pending.name, listing))
    return yield { files: [], skips: [uncounted(pending.path, 'secret')] };

  const git = await viewOf(folder, pending, listing, access);
  const { entries, skips, errors } = classify(pending, git, listing);
  const names = entries.filter(({ kind, ignored }) => kind === 'file' && !ignored).map(({ name }) => name);
  const signs = signsOf(names, pending.beside);
  const reason = pending.path === '' ? null : folderReason(pending.name, parentOf(pending), signs.inside);
  if (reason !== null) return yield { files: [], skips: [uncounted(pending.path, reason)] };

  const files = entries.filter(({ kind }) => kind === 'file');
  for (const entry of entries) {
    if (entry.kind === 'folder') {
      const next = await classifyFolder(root, pending, git, entry, signs.beside, access);
      if ('git' in next) enter(next);
      else {
        skips.push(next.skip);
        if (next.error) errors.push(next.error);
      }
    }
  }
  yield { files: [], skips, errors };
  for (let at = 0; at < files.length; at += CONCURRENT_STATS) {
    signal.throwIfAborted();
    yield await measure(root, pending, files.slice(at, at + CONCURRENT_STATS));
  }
}

const parentOf = ({ path, name }: PendingFolder): string => path.slice(0, -name.length - 1);

const list = async (
  folder: string,
  requirement: 'must' | 'may',
): Promise<readonly Listed[] | NodeJS.ErrnoException> => {
  try {
    return await listByTypes(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.syscall === 'lstat') return listByNames(folder);
      throw error;
    });
  } catch (error) {
    if (requirement === 'must' || !isSystemError(error)) throw error;
    return error;
  }
};

const inBatches = async <T, R>(all: readonly T[], run: (one: T) => Promise<R>): Promise<readonly R[]> => {
  const results: R[] = [];
  for (let at = 0; at < all.length; at += CONCURRENT_STATS)
    results.push(...(await Promise.all(all.slice(at, at + CONCURRENT_STATS).map(run))));
  return results;
};

const pathIn = (folder: string, name: Buffer): Buffer => Buffer.concat([Buffer.from(join(folder, sep)), name]);

/**
 * Names as byte strings: a folder of 100,000 entries takes a fraction of the memory that buffers would. Windows lists
 * all that has a reparse point as a link, also the files of OneDrive and of deduplicated volumes, so links are asked
 * for once more.
 */
const listByTypes = async (folder: string): Promise<readonly Listed[]> => {
  const entries: readonly Listed[] = await readdir(folder, { withFileTypes: true, encoding: 'latin1' });
  const links = await inBatches(
    entries.filter((entry) => entry.isSymbolicLink()),
    async (entry) => {
      const asked = lstat(pathIn(folder, Buffer.from(entry.name, 'latin1')));
      const stats = await asked.catch((error: NodeJS.ErrnoException) => error);
      return stats instanceof Error
        ? Object.assign(entry, { error: stats })
        : Object.assign(stats, { name: entry.name });
    },
  );
  return [...entries.filter((entry) => !entry.isSymbolicLink()), ...links];
};

/** Some file systems do not tell the types with the names. Node then asks for them by the byte string: in vain. */
const listByNames = async (folder: string): Promise<readonly Listed[]> => {
  const entries = await inBatches(await readdir(folder, { encoding: 'buffer' }), async (name) => {
    const stats = await ifThere(lstat(pathIn(folder, name)));
    return stats ? [Object.assign(stats, { name: name.toString('latin1') })] : [];
  });
  return entries.flat();
};

/** The repository that a folder belongs to may start at the folder itself. */
const viewOf = async (
  folder: string,
  pending: PendingFolder,
  listing: readonly Listed[],
  access: GitAccess,
): Promise<GitView> => {
  const has = (wanted: string) => listing.some(({ name }) => name === wanted);
  const mayBegin = !pending.git.isInRepository && pending.path !== '' && has('.git');
  const git = (mayBegin && (await openNested(folder, access))) || pending.git;
  return has(GITIGNORE) ? within(git, git.path, await readGitignore(folder, access.reach)) : git;
};

/** Decodes a byte string, and reports whether it is valid UTF-8. */
const readName = (bytes: string): { readonly name: string; readonly isUtf8: boolean } => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is the same in both
  if (/^[\x00-\x7f]*$/.test(bytes)) return { name: bytes, isUtf8: true };
  const buffer = Buffer.from(bytes, 'latin1');
  return { name: buffer.toString(), isUtf8: isUtf8(buffer) };
};

/** Separates files and folders from entries that can be neither sent nor entered. */
const classify = (pending: PendingFolder, git: GitView, listing: readonly Listed[]) => {
  const entries: Entry[] = [];
  const skips: ExcludedEntry[] = [];
  const errors: NodeJS.ErrnoException[] = [];
  for (const entry of listing) {
    const kind = entry.isDirectory() ? 'folder' : 'file';
    const { path: gitPath, ignoredAs } = gitEntry(git, entry.name);
    const isTracked = kind === 'folder' ? git.tracked.hasIn(gitPath) : git.tracked.has(gitPath);
    const excluded = isTracked ? null : pending.excluded;
    const { name, isUtf8: isSendable } = readName(entry.name);
    const path = pending.path + name;
    if (!isSendable) skips.push(kind === 'folder' ? uncounted(`${path}/`, 'encoding') : single(path, 'encoding'));
    else if (entry.error) {
      skips.push(single(path, 'unreadable'));
      errors.push(entry.error);
    } else if (entry.isSymbolicLink()) skips.push(single(path, 'link'));
    else if (kind === 'file' && !entry.isFile()) skips.push(single(path, 'special'));
    else if (excluded === 'repository')
      skips.push(kind === 'folder' ? uncounted(`${path}/`, excluded) : { ...uncounted(path, excluded), files: 1 });
    else {
      const mayBe = kind === 'folder' || !isTracked;
      entries.push({ name, gitPath, kind, ignored: excluded ?? (mayBe ? ignoredAs(kind) : null) });
    }
  }
  return { entries, skips, errors };
};

/** Returns the folder as one to walk, or as excluded. */
const classifyFolder = async (
  root: string,
  pending: PendingFolder,
  git: GitView,
  { name, gitPath, ignored }: Entry,
  beside: Signs,
  { reach }: GitAccess,
): Promise<PendingFolder | { readonly skip: ExcludedEntry; readonly error?: NodeJS.ErrnoException }> => {
  const path = `${pending.path}${name}/`;
  const reason = folderReasonOutside(name, pending.path, beside, ignored !== null);
  if (reason !== null) return { skip: uncounted(path, reason) };
  if (levelsOf(path) >= LIMITS.folderDepth) return { skip: uncounted(path, 'path') };
  if (git.tracked.isSubmodule(gitPath)) return { skip: uncounted(path, 'repository') };
  const found = git.isInRepository ? await isRepository(join(root, path), reach) : false;
  const isOther = found === true;
  if ((ignored || isOther) && !git.tracked.hasIn(gitPath)) {
    const out = uncounted(path, isOther ? 'repository' : 'gitignore');
    return { skip: ignored && !isOther ? { ...out, rule: ignored } : out };
  }
  if (found instanceof Error) return { skip: uncounted(path, 'unreadable'), error: found };
  const excluded = isOther ? 'repository' : (ignored ?? pending.excluded);
  return { path, name, git: { ...git, path: `${gitPath}/` }, excluded, beside };
};

const measure = async (root: string, pending: PendingFolder, entries: readonly Entry[]): Promise<Found> => {
  const files: FolderFile[] = [];
  const skips: ExcludedEntry[] = [];
  const errors: NodeJS.ErrnoException[] = [];
  const found = await Promise.all(
    entries.map(({ name }) => lstat(join(root, pending.path, name)).catch((error: NodeJS.ErrnoException) => error)),
  );
  for (const [index, stats] of found.entries()) {
    const { name, ignored } = entries[index] as Entry;
    const path = pending.path + name;
    if (stats instanceof Error) errors.push(stats);
    else if (stats.isFile()) {
      files.push({ path, size: stats.size, ...(ignored && { ignoredBy: ignored }) });
      continue;
    }
    skips.push(single(path, 'unreadable'));
  }
  return { files, skips, errors };
};
