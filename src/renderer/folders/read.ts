/**
 * Reads a folder in the page and decides which files to include. Nothing leaves the page here. Every file is read once,
 * so the bundle contains exactly the bytes that were checked, and never a file with a secret.
 */
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';
import { archiveBytesAtMost } from '../../common/folder/archive-size.ts';
import { type BundleHead, bundleLead } from '../../common/folder/bundle.ts';
import {
  accountOf,
  type FolderPreview,
  type FolderProgress,
  type StaysOut,
  staysOut,
} from '../../common/folder/preview.ts';
import { type FolderSelection, GITIGNORE, selectFolder } from '../../common/folder/selection.ts';
import type { PageFolder } from './page-folder.ts';
import { type PageFile, walkPageFolder } from './walk.ts';

export interface ReadPageFolder {
  readonly preview: FolderPreview;
  /** The bundle to upload; null if the folder cannot be shared. */
  readonly bundle: File | null;
}

/** Number of files read concurrently. */
const MAX_CONCURRENT = 16;

const CANCELLED = failure('CANCELLED', 'Reading the folder was cancelled.');
const UNREADABLE = failure('SOURCE_UNREADABLE', 'The browser cannot read this folder. Add it again.');

interface Walked {
  readonly files: readonly PageFile[];
  readonly skips: StaysOut[];
}

const walk = async (
  folder: PageFolder,
  onFound: (files: number) => void,
  signal: AbortSignal,
): Promise<Result<Walked>> => {
  const files: PageFile[] = [];
  const skips: StaysOut[] = [];
  try {
    for await (const found of walkPageFolder(folder, signal)) {
      if (!found) return err(UNREADABLE);
      for (const file of found.files) files.push(file);
      for (const skip of found.skips) skips.push(skip);
      onFound(files.length);
    }
    return ok({ files, skips });
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
export const readPageFolder = async (
  folder: PageFolder,
  onProgress: (progress: FolderProgress) => void,
  signal: AbortSignal,
): Promise<Result<ReadPageFolder>> => {
  const walked = await walk(folder, (files) => onProgress({ files, share: null }), signal);
  if (!walked.ok) return walked;
  const { files, skips } = walked.value;
  const gitignore = files.find(({ path }) => path === GITIGNORE);
  const rules = gitignore && gitignore.size <= LIMITS.folderFileBytes ? await bytesOf(gitignore.file) : null;
  const selection = selectFolder(files, rules);
  const onShare = (share: number): void => onProgress({ files: files.length, share });
  const selected = await offerAll(walked.value, selection, onShare, signal);
  if (signal.aborted) return err(CANCELLED);

  const finished = selection.finish();
  const refusal = selected.refusal ?? (finished.ok ? null : finished.error);
  const { goes } = selected;
  const counts = { files: goes.length, textBytes: goes.reduce((sum, { size }) => sum + size, 0) };
  const out = [...skips, ...staysOut(selection)];
  const account = (listed: number) => accountOf(counts, out, selection.gitignore, listed);
  const preview: FolderPreview = {
    name: folder.name,
    ...account(LIMITS.folderRawEntries),
    goes,
    archiveBytesAtMost: archiveBytesAtMost(goes),
    refusal,
    unread: selection.candidates.length - selected.offered,
  };
  const { files: _, textBytes: __, ...excluded } = account(LIMITS.folderSkippedListed);
  return ok({ preview, bundle: refusal ? null : bundleOf(folder.name, selected, excluded) });
};
