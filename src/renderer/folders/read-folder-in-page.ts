/**
 * Reads a folder in the page, decides which files to include, and returns a preview and the bundle to upload; it
 * uploads nothing itself. The bundle contains exactly the bytes that were checked; files that are secret by name or
 * contain a private key are excluded.
 */

import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { IgnoreRule } from '../../api/folder-result.ts';
import { LIMITS } from '../../api/limits.ts';
import { archiveBytesAtMost } from '../../common/folder/archive-path-and-size.ts';
import { type BundleHead, bundleLead } from '../../common/folder/bundle-format.ts';
import {
  folderReason,
  folderReasonOutside,
  isSecretFolder,
  levelsOf,
  type Signs,
  signsOf,
} from '../../common/folder/exclusion-rules.ts';
import {
  type ExcludedEntry,
  type ExclusionReason,
  excludedEntriesOf,
  type FolderPreview,
  type FolderProgress,
  folderSummaryOf,
} from '../../common/folder/folder-preview.ts';
import { isTrue, settingsOf } from '../../common/folder/git-config-file.ts';
import { byteString, readIgnoreFile } from '../../common/folder/gitignore-file.ts';
import type { Letters } from '../../common/folder/gitignore-glob.ts';
import { type IgnoreLayer, ignoredBy } from '../../common/folder/gitignore-layers.ts';
import { type FolderFile, type FolderSelection, GITIGNORE, selectFolder } from '../../common/folder/select-files.ts';
import type { PageEntry, PageFolder } from './dropped-or-chosen-folder.ts';

// Walks a folder in the page by the same rules as the app on disk. Files in excluded folders, such as dependencies and
// version control data, are never opened, except Git's own list of exclusions and the settings of the repository.

interface PageFile extends FolderFile {
  readonly file: File;
}

interface Found {
  readonly files: readonly PageFile[];
  readonly skips: readonly ExcludedEntry[];
  readonly mayMissRules: boolean;
}

/** What is known of git in a folder. */
interface Git {
  /** Highest precedence first. */
  readonly layers: readonly IgnoreLayer[];
  readonly letters: Letters | 'unknown';
  /** Whether git may have rules here that the page cannot read. */
  readonly mayMissRules: boolean;
  readonly isRepository: boolean;
}

/** A folder still to be walked. `path` ends with '/', and is '' at the top. */
interface PendingFolder {
  readonly path: string;
  readonly name: string;
  readonly git: Git;
  readonly beside: Signs;
}

const GIT = '.git';
const EXCLUDE = '.git/info/exclude';
const CONFIG = '.git/config';
/** Git accepts larger ignore files, but real ones are smaller. */
const RULES_MAX = 4 * 1024 ** 2;

const uncounted = (path: string, reason: ExclusionReason): ExcludedEntry => ({ path, reason, files: null, size: null });
const single = (path: string, reason: ExclusionReason, size = 0): ExcludedEntry => ({ path, reason, files: 1, size });

const nothingBut = (skip: ExcludedEntry): Found => ({ files: [], skips: [skip], mayMissRules: false });

const parentOf = ({ path, name }: PendingFolder): string => path.slice(0, -name.length - 1);

/** The page sees nothing above the folder. File systems of Windows and macOS usually compare no case. */
const outside = (): Git => ({
  layers: [],
  letters: /^(Win|Mac)/.test(navigator.platform) ? 'unknown' : 'exact',
  mayMissRules: true,
  isRepository: false,
});

/** Yields null if the top folder or a rule of git cannot be read. */
async function* walkPageFolder(folder: PageFolder, signal: AbortSignal): AsyncGenerator<Found | null> {
  const nothing = { isVendor: false, isDotnet: false };
  const pendingFolders: PendingFolder[] = [{ path: '', name: '', git: outside(), beside: nothing }];
  for (let pending = pendingFolders.pop(); pending; pending = pendingFolders.pop()) {
    signal.throwIfAborted();
    const { path } = pending;
    const listing = await folder.list(path);
    if (listing) yield await walkPending(folder, pending, listing, (next) => pendingFolders.push(next));
    else yield path === '' ? null : nothingBut(uncounted(path, 'unreadable'));
  }
}

const walkPending = async (
  folder: PageFolder,
  pending: PendingFolder,
  listing: readonly PageEntry[],
  enter: (pending: PendingFolder) => void,
): Promise<Found | null> => {
  const { path, name } = pending;
  const has = (wanted: string): boolean => listing.some((entry) => entry.name === wanted);
  // Before its rules of git, which may be unreadable.
  if (path !== '' && isSecretFolder(name, listing)) return nothingBut(uncounted(path, 'secret'));
  const gitEntry = listing.find((entry) => entry.name === GIT);
  if (gitEntry && pending.git.isRepository) return nothingBut(uncounted(path, 'repository'));
  const git = gitEntry ? await readRepository(folder, pending, gitEntry.kind) : pending.git;
  const own = git && (has(GITIGNORE) ? await readLayer(folder, path + GITIGNORE, path, git.letters) : []);
  // Rules that cannot be read must not count as none, or what they exclude is published.
  if (!own) return null;
  const layers = [...own, ...git.layers];
  const entries = listing.map((entry) => ({
    ...entry,
    ignored: ignoredBy(layers, byteString(path + entry.name), entry.kind),
  }));
  const names = entries.filter(({ kind, ignored }) => kind === 'file' && !ignored).map((entry) => entry.name);
  const signs = signsOf(names, pending.beside);
  const reason = path === '' ? null : folderReason(name, parentOf(pending), signs.inside);
  if (reason !== null) return nothingBut(uncounted(path, reason));

  const inside = { git: { ...git, layers }, beside: signs.beside };
  const skips: ExcludedEntry[] = [];
  for (const entry of entries.filter(({ kind }) => kind === 'folder')) {
    const out = exclusionOf(entry, pending, signs.beside);
    if (out) skips.push(out);
    else enter({ ...inside, path: `${path}${entry.name}/`, name: entry.name });
  }
  const measured = await measure(
    folder,
    pending,
    entries.filter(({ kind }) => kind === 'file'),
  );
  return { files: measured.files, skips: [...skips, ...measured.skips], mayMissRules: git.mayMissRules };
};

interface Entry extends PageEntry {
  readonly ignored: IgnoreRule | null;
}

const measure = async (
  folder: PageFolder,
  { path }: PendingFolder,
  entries: readonly Entry[],
): Promise<Omit<Found, 'mayMissRules'>> => {
  const files: PageFile[] = [];
  const skips: ExcludedEntry[] = [];
  const opened = await Promise.all(entries.map(({ name }) => folder.open(path + name)));
  for (const [index, { name, ignored }] of entries.entries()) {
    const own = path + name;
    const file = opened[index];
    if (!own.isWellFormed()) skips.push(single(own.toWellFormed(), 'encoding'));
    else if (!file) skips.push(single(own, 'unreadable'));
    else files.push({ path: own, size: file.size, file, ...(ignored && { ignoredBy: ignored }) });
  }
  return { files, skips };
};

/** Why a folder is skipped as a whole. */
const exclusionOf = ({ name, ignored }: Entry, pending: PendingFolder, beside: Signs): ExcludedEntry | null => {
  const path = `${pending.path}${name}/`;
  if (!path.isWellFormed()) return uncounted(path.toWellFormed(), 'encoding');
  const reason = folderReasonOutside(name, pending.path, beside, ignored !== null);
  if (reason !== null) return uncounted(path, reason);
  if (levelsOf(path) >= LIMITS.folderDepth) return uncounted(path, 'path');
  return ignored && { ...uncounted(path, 'gitignore'), rule: ignored };
};

/** The bytes of a file of git; null if it cannot be read, or is too large. */
const readRules = async (folder: PageFolder, path: string): Promise<Uint8Array | null> => {
  const file = await folder.open(path);
  return file && file.size <= RULES_MAX ? bytesOf(file) : null;
};

/** The patterns of the ignore file `name` for the folder `base`; null if it cannot be read, or is too large. */
const readLayer = async (
  folder: PageFolder,
  name: string,
  base: string,
  letters: Git['letters'],
): Promise<readonly IgnoreLayer[] | null> => {
  const bytes = await readRules(folder, name);
  return bytes && [{ base: byteString(base), name, file: readIgnoreFile(bytes, letters) }];
};

/** The rules of the repository that begins at a folder; null if a part of them cannot be read. */
const readRepository = async (
  folder: PageFolder,
  { path, git: above }: PendingFolder,
  kind: PageEntry['kind'],
): Promise<Git | null> => {
  // A dropped folder can only open paths whose parents were listed.
  const inside = kind === 'folder' ? await folder.list(`${path}${GIT}/`) : [];
  const has = (wanted: string): boolean => inside?.some(({ name }) => name === wanted) ?? false;
  const info = has('info') ? await folder.list(`${path}${GIT}/info/`) : [];
  const config = has('config') ? await readRules(folder, path + CONFIG) : new Uint8Array();
  if (!inside || !info || !config) return null;
  const settings = settingsOf(new TextDecoder().decode(config));
  const settingOf = (name: string): string | undefined =>
    settings.findLast(({ section, subsection, key }) => subsection === null && `${section}.${key}` === name)?.value;
  // A linked work tree or a submodule names its git folder in a file; without a HEAD it is none.
  const isKnown = has('HEAD') && has('config');
  const isAlone =
    isKnown &&
    !isTrue(settingOf('extensions.worktreeconfig')) &&
    !settings.some(({ section }) => section === 'include' || section === 'includeif');
  const letters = !isAlone ? 'unknown' : isTrue(settingOf('core.ignorecase')) ? 'folded' : 'exact';
  const excluded = info.some(({ name }) => name === 'exclude');
  const exclude = excluded ? await readLayer(folder, path + EXCLUDE, path, letters) : [];
  return (
    exclude && {
      // The rules of the folders above end at a repository.
      layers: isKnown ? exclude : [...exclude, ...above.layers],
      letters,
      mayMissRules: !isAlone || settingOf('core.excludesfile') !== undefined,
      isRepository: true,
    }
  );
};

export interface FolderReadInPage {
  readonly preview: FolderPreview;
  /** The bundle to upload; null if the folder cannot be shared. */
  readonly bundle: File | null;
  /**
   * Git may ignore more: the page knows neither rules of folders above this one, nor those in files that settings name.
   * The user's own settings count for every folder, and are not meant.
   */
  readonly mayMissRules: boolean;
}

/** Number of files read concurrently. */
const MAX_CONCURRENT = 16;

const CANCELLED = failure('CANCELLED', 'Reading the folder was cancelled.');
const UNREADABLE = failure('SOURCE_UNREADABLE', 'The browser cannot read this folder. Add it again.');

interface Walked {
  readonly files: readonly PageFile[];
  readonly skips: ExcludedEntry[];
  readonly mayMissRules: boolean;
}

const walk = async (
  folder: PageFolder,
  onFound: (files: number) => void,
  signal: AbortSignal,
): Promise<Result<Walked>> => {
  const files: PageFile[] = [];
  const skips: ExcludedEntry[] = [];
  let mayMissRules = false;
  try {
    for await (const found of walkPageFolder(folder, signal)) {
      if (!found) return err(UNREADABLE);
      for (const file of found.files) files.push(file);
      for (const skip of found.skips) skips.push(skip);
      mayMissRules ||= found.mayMissRules;
      onFound(files.length);
    }
    return ok({ files, skips, mayMissRules });
  } catch (error) {
    if (signal.aborted) return err(CANCELLED);
    throw error;
  }
};

/** Null: it cannot be read, or was deleted. */
const bytesOf = async (file: File): Promise<Uint8Array<ArrayBuffer> | null> => {
  const buffer = await file.arrayBuffer().catch(() => null);
  return buffer && new Uint8Array(buffer);
};

interface Selected {
  readonly goes: { readonly path: string; readonly size: number }[];
  readonly bytes: Uint8Array<ArrayBuffer>[];
  readonly refusal: Failure | null;
  readonly offered: number;
}

const offerAll = async (
  { skips }: Walked,
  selection: FolderSelection<PageFile>,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<Selected> => {
  const { candidates } = selection;
  const goes: Selected['goes'] = [];
  const bytes: Selected['bytes'] = [];
  for (let start = 0; start < candidates.length && !signal.aborted; start += MAX_CONCURRENT) {
    const some = candidates.slice(start, start + MAX_CONCURRENT);
    const read = await Promise.all(some.map(({ file }) => bytesOf(file)));
    for (const [index, file] of some.entries()) {
      const { path } = file;
      const found = read[index] ?? null;
      if (!found || found.length > LIMITS.folderFileBytes) {
        skips.push({ path, reason: found ? 'large' : 'unreadable', files: 1, size: found?.length ?? file.size });
        continue;
      }
      const offered = selection.add(file, found);
      if (!offered.ok) return { goes, bytes, refusal: offered.error, offered: start + index + 1 };
      if (offered.value === 'skipped') continue;
      goes.push({ path, size: found.length });
      bytes.push(found);
    }
    onShare((start + some.length) / candidates.length);
  }
  return { goes, bytes, refusal: null, offered: candidates.length };
};

const bundleOf = (name: string, { goes, bytes }: Selected, account: BundleHead['account']): File => {
  const head: BundleHead = { files: goes, account };
  return new File([bundleLead(new TextEncoder().encode(JSON.stringify(head))), ...bytes], name);
};

/** Errors: SOURCE_UNREADABLE, CANCELLED. A refusal the service would give is the preview's `refusal`. */
export const readFolderInPage = async (
  folder: PageFolder,
  onProgress: (progress: FolderProgress) => void,
  signal: AbortSignal,
): Promise<Result<FolderReadInPage>> => {
  const walked = await walk(folder, (files) => onProgress({ files, share: null }), signal);
  if (!walked.ok) return walked;
  const { files, skips, mayMissRules } = walked.value;
  const gitignore = files.find(({ path }) => path === GITIGNORE);
  const rules = gitignore && gitignore.size <= LIMITS.folderFileBytes ? await bytesOf(gitignore.file) : null;
  if (gitignore && gitignore.size <= LIMITS.folderFileBytes && !rules) return err(UNREADABLE);
  const selection = selectFolder(files, rules);
  const onShare = (share: number): void => onProgress({ files: files.length, share });
  const selected = await offerAll(walked.value, selection, onShare, signal);
  if (signal.aborted) return err(CANCELLED);

  const finished = selection.finish();
  const refusal = selected.refusal ?? (finished.ok ? null : finished.error);
  const { goes } = selected;
  const counts = { files: goes.length, textBytes: goes.reduce((sum, { size }) => sum + size, 0) };
  const out = [...skips, ...excludedEntriesOf(selection)];
  const account = (listed: number) => folderSummaryOf(counts, out, selection.gitignore, listed);
  const preview: FolderPreview = {
    name: folder.name,
    ...account(LIMITS.folderRawEntries),
    goes,
    archiveBytesAtMost: archiveBytesAtMost(goes),
    refusal,
    unread: selection.candidates.length - selected.offered,
  };
  const { files: _, textBytes: __, ...excluded } = account(LIMITS.folderSkippedListed);
  return ok({ preview, bundle: refusal ? null : bundleOf(folder.name, selected, excluded), mayMissRules });
};
