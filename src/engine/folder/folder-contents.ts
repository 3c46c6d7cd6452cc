/**
 * Lists the files and the excluded entries of a folder, and reads its files: from disk, or from a bundle, which is the
 * file in which a browser page sends a folder.
 */

import { type FileHandle, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { GitignoreState } from '../../api/folder-result.ts';
import { LIMITS } from '../../api/limits.ts';
import { mountPointOf } from '../../base/node/mount-point.ts';
import { open } from '../../base/node/retrying-fs.ts';
import { isSystemError } from '../../base/node/system-error.ts';
import { BUNDLE_LEAD, BundleHead, headLength, isInside } from '../../common/folder/bundle-format.ts';
import type { ExcludedEntry, FolderSummary } from '../../common/folder/folder-preview.ts';
import type { FolderFile } from '../../common/folder/select-files.ts';
import { createValidator } from '../../ipc/protocol/create-validator.ts';
import type { FileTimes } from '../upload/upload-source.ts';
import type { GitHome } from './git-home.ts';
import { type ReadFile, readStableFile } from './read-stable-file.ts';
import { walkFolder } from './walk-folder.ts';
import { watchDrive } from './watch-drive.ts';

export interface FolderContents {
  readonly files: readonly FolderFile[];
  readonly skips: ExcludedEntry[];
  /** Excluded entries that are counted but not listed. */
  readonly unlisted: Pick<FolderSummary, 'skippedFiles' | 'uncountedFolders'>;
  /** The state of the root .gitignore where the sender has evaluated it; null: it is evaluated here. */
  readonly gitignore: GitignoreState | null;
  /** Reads one of `files` completely. */
  read(path: string): Promise<ReadFile>;
  /** Why the folder fails although it was read: its drive went away meanwhile. Null: it does not. */
  findLoss(): Promise<Failure | null>;
  close(): Promise<void>;
}

/** Called with the number of files found so far. */
export type OnFound = (files: number) => void;

// Lists and reads a folder on disk.

export const diskFailure = ({ code, path }: NodeJS.ErrnoException): Failure => {
  if (code === 'ENOTDIR') return failure('SOURCE_NOT_A_FOLDER', 'This is a file, not a folder.');
  if (code === 'ENOENT') return failure('SOURCE_MISSING', 'The folder no longer exists. Put it back and try again.');
  const detail =
    code === 'EREMOTE'
      ? 'The folder leads git to a path on another computer, which is not opened.'
      : `The folder cannot be read (${code}). Check its permissions and try again.`;
  return failure('SOURCE_UNREADABLE', detail, { params: { system: code, name: path } });
};

/**
 * `gitHome` null: ignores the user's own git settings. `times` as in `readStableFile`. Errors: SOURCE_MISSING,
 * SOURCE_NOT_A_FOLDER, SOURCE_UNREADABLE (also of git's ignore files and settings, wherever they are), CANCELLED.
 */
export const openDiskFolder = async (
  path: string,
  gitHome: (() => GitHome) | null,
  times: FileTimes | null,
  onFound: OnFound,
  signal: AbortSignal,
): Promise<Result<FolderContents>> => {
  const files: FolderFile[] = [];
  const skips: ExcludedEntry[] = [];
  let mount: string | null = null;
  /** With the place of its drive: the queue waits until one is there again. */
  const lossOf = (error: NodeJS.ErrnoException): Failure => {
    const reason = diskFailure(error);
    return mount === null ? reason : { ...reason, params: { ...reason.params, mount } };
  };
  try {
    const root = await realpath(path);
    mount = await mountPointOf(root);
    const drive = await watchDrive(root);
    for await (const found of walkFolder(root, gitHome?.() ?? null, signal)) {
      for (const file of found.files) files.push(file);
      for (const skip of found.skips) skips.push(skip);
      drive.onUnlisted(found.errors ?? []);
      onFound(files.length);
    }
    return ok({
      files,
      skips,
      unlisted: { skippedFiles: 0, uncountedFolders: 0 },
      gitignore: null,
      async read(name) {
        if (drive.isAway()) return { stays: 'unreadable' };
        const read = await readStableFile(join(root, name), times);
        drive.onRead(read);
        return read;
      },
      async findLoss() {
        const loss = await drive.findLoss();
        return loss && lossOf(loss);
      },
      close: async () => {},
    });
  } catch (error) {
    if (signal.aborted) return err(failure('CANCELLED', 'Reading the folder was cancelled.'));
    if (!isSystemError(error)) throw error;
    return err(lossOf(error));
  }
};

// Reads a folder bundle that a page streamed into the spool. Bundles are untrusted: one whose header does not match its
// bytes, or with a path outside the folder, is rejected completely.

const isHead = createValidator(BundleHead);

const BROKEN = failure('SOURCE_UNREADABLE', 'The copy of this folder is damaged. Add the folder again.');
const MISSING = failure('SOURCE_MISSING', 'The copy of this folder no longer exists. Add the folder again.');

const readAt = async (file: FileHandle, length: number, position: number): Promise<Buffer | null> => {
  const bytes = Buffer.alloc(length);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) return null;
    filled += bytesRead;
  }
  return bytes;
};

const parse = (json: Buffer | null): BundleHead | null => {
  try {
    const head: unknown = JSON.parse(json?.toString() ?? '');
    return isHead(head) ? head : null;
  } catch {
    return null;
  }
};

/** Byte ranges of the files. Null when the header does not match the bundle's size, or contains a forbidden path. */
const rangesOf = ({ files }: BundleHead, start: number, end: number) => {
  const ranges = new Map<string, { readonly start: number; readonly size: number }>();
  let at = start;
  for (const { path, size } of files) {
    if (!isInside(path) || ranges.has(path) || size > LIMITS.folderFileBytes) return null;
    ranges.set(path, { start: at, size });
    at += size;
  }
  return at === end ? ranges : null;
};

const sumOf = (skips: readonly ExcludedEntry[]) => ({
  skippedFiles: skips.reduce((sum, { files }) => sum + (files ?? 0), 0),
  uncountedFolders: skips.filter(({ files }) => files === null).length,
});

/** SOURCE_MISSING only where no file is there: the queue watches for its return, and retries by itself. */
const bundleFailure = (error: unknown): Failure => {
  if (!isSystemError(error)) throw error;
  if (error.code === 'ENOENT') return MISSING;
  const detail = `The copy of this folder cannot be read (${error.code}). Check its permissions and try again.`;
  return failure('SOURCE_UNREADABLE', detail, { params: { system: error.code } });
};

/** Errors: SOURCE_MISSING, SOURCE_UNREADABLE. */
export const openBundle = async (path: string): Promise<Result<FolderContents>> => {
  let file: FileHandle | null = null;
  let contents: FolderContents | null = null;
  try {
    file = await open(path);
    contents = await read(file);
    return contents ? ok(contents) : err(BROKEN);
  } catch (error) {
    return err(bundleFailure(error));
  } finally {
    if (contents === null) await file?.close();
  }
};

const read = async (file: FileHandle): Promise<FolderContents | null> => {
  const lead = await readAt(file, BUNDLE_LEAD, 0);
  const length = lead && headLength(lead);
  const head = length === null ? null : parse(await readAt(file, length, BUNDLE_LEAD));
  const ranges = head && rangesOf(head, BUNDLE_LEAD + (length ?? 0), (await file.stat()).size);
  if (!head || !ranges) return null;
  const { skipped, gitignore, ...counted } = head.account;
  const listed = sumOf(skipped);
  return {
    files: head.files,
    skips: [...skipped],
    unlisted: {
      skippedFiles: Math.max(0, counted.skippedFiles - listed.skippedFiles),
      uncountedFolders: Math.max(0, counted.uncountedFolders - listed.uncountedFolders),
    },
    gitignore,
    read: async (name) => {
      const range = ranges.get(name);
      const bytes = range ? await readAt(file, range.size, range.start) : null;
      return bytes ? { bytes } : { stays: 'unreadable' };
    },
    findLoss: async () => null,
    close: () => file.close(),
  };
};
