/**
 * Walks a folder in the page by the same rules as the app on disk. Excluded folders such as dependencies and version
 * control data are never read.
 */

import type { IgnoreRule } from '../../api/folder-result.ts';
import { LIMITS } from '../../api/limits.ts';
import { byteString, readIgnoreFile } from '../../common/folder/gitignore-file.ts';
import { type IgnoreLayer, ignoredBy } from '../../common/folder/gitignore-layers.ts';
import type { StayReason, StaysOut } from '../../common/folder/preview.ts';
import { folderReason, levelsOf, type Signs, signsOf } from '../../common/folder/rules.ts';
import { type FolderFile, GITIGNORE } from '../../common/folder/selection.ts';
import type { PageEntry, PageFolder } from './page-folder.ts';

export interface PageFile extends FolderFile {
  readonly file: File;
}

export interface Found {
  readonly files: readonly PageFile[];
  readonly skips: readonly StaysOut[];
}

/** A folder still to be walked. `path` ends with '/', and is '' at the top. */
interface PendingFolder {
  readonly path: string;
  readonly name: string;
  readonly layers: readonly IgnoreLayer[];
  readonly isInRepository: boolean;
  readonly beside: Signs;
}

const GIT = '.git';
const EXCLUDE = '.git/info/exclude';
/** Git accepts larger ignore files, but real ones are smaller. */
const IGNORE_MAX = 4 * 1024 ** 2;

const uncounted = (path: string, reason: StayReason): StaysOut => ({ path, reason, files: null, size: null });
const single = (path: string, reason: StayReason, size = 0): StaysOut => ({ path, reason, files: 1, size });

const parentOf = ({ path, name }: PendingFolder): string => path.slice(0, -name.length - 1);

/** Yields null if the top folder cannot be read. */
export async function* walkPageFolder(folder: PageFolder, signal: AbortSignal): AsyncGenerator<Found | null> {
  const nothing = { isVendor: false, isDotnet: false };
  const pendingFolders: PendingFolder[] = [{ path: '', name: '', layers: [], isInRepository: false, beside: nothing }];
  for (let pending = pendingFolders.pop(); pending; pending = pendingFolders.pop()) {
    signal.throwIfAborted();
    const { path } = pending;
    const listing = await folder.list(path);
    if (listing) yield await walkPending(folder, pending, listing, (next) => pendingFolders.push(next));
    else yield path === '' ? null : { files: [], skips: [uncounted(path, 'unreadable')] };
  }
}

const walkPending = async (
  folder: PageFolder,
  pending: PendingFolder,
  listing: readonly PageEntry[],
  enter: (pending: PendingFolder) => void,
): Promise<Found> => {
  const { path, name } = pending;
  const has = (wanted: string): boolean => listing.some((entry) => entry.name === wanted);
  const isTop = has(GIT);
  if (isTop && pending.isInRepository) return { files: [], skips: [uncounted(path, 'repository')] };
  const layers = [
    ...(has(GITIGNORE) ? await readLayer(folder, path + GITIGNORE, path) : []),
    ...(isTop ? await readExclude(folder, path) : []),
    ...pending.layers,
  ];
  const entries = listing.map((entry) => ({
    ...entry,
    ignored: ignoredBy(layers, byteString(path + entry.name), entry.kind),
  }));
  const names = entries.filter(({ kind, ignored }) => kind === 'file' && !ignored).map((entry) => entry.name);
  const signs = signsOf(names, pending.beside);
  const reason = path === '' ? null : folderReason(name, parentOf(pending), signs.inside);
  if (reason !== null) return { files: [], skips: [uncounted(path, reason)] };

  const inside = { layers, isInRepository: pending.isInRepository || isTop, beside: signs.beside };
  const skips: StaysOut[] = [];
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
  return { files: measured.files, skips: [...skips, ...measured.skips] };
};

interface Entry extends PageEntry {
  readonly ignored: IgnoreRule | null;
}

const measure = async (folder: PageFolder, { path }: PendingFolder, entries: readonly Entry[]): Promise<Found> => {
  const files: PageFile[] = [];
  const skips: StaysOut[] = [];
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
const exclusionOf = ({ name, ignored }: Entry, pending: PendingFolder, beside: Signs): StaysOut | null => {
  const path = `${pending.path}${name}/`;
  if (!path.isWellFormed()) return uncounted(path.toWellFormed(), 'encoding');
  const reason = folderReason(name, pending.path, { ...beside, isVenv: false });
  if (reason !== null) return uncounted(path, reason);
  if (levelsOf(path) >= LIMITS.folderDepth) return uncounted(path, 'path');
  return ignored && { ...uncounted(path, 'gitignore'), rule: ignored };
};

/** The patterns of the ignore file `name` for the folder `base`. */
const readLayer = async (folder: PageFolder, name: string, base: string): Promise<readonly IgnoreLayer[]> => {
  const file = await folder.open(name);
  if (!file || file.size > IGNORE_MAX) return [];
  const bytes = await file.arrayBuffer().catch(() => null);
  return bytes ? [{ base: byteString(base), name, file: readIgnoreFile(new Uint8Array(bytes)) }] : [];
};

const readExclude = async (folder: PageFolder, path: string): Promise<readonly IgnoreLayer[]> => {
  // A dropped folder can only open paths whose parents were listed.
  await folder.list(`${path}.git/`);
  await folder.list(`${path}.git/info/`);
  return readLayer(folder, path + EXCLUDE, path);
};
