/**
 * Previews the upload of a folder: which files it includes and which it excludes, before anything is packed or sent.
 * A folder that the service would refuse is no error; the preview contains the refusal.
 */
import { basename } from 'node:path';
import { ok, type Result } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';
import { archiveBytesAtMost } from '../../common/folder/archive-path-and-size.ts';
import type { FolderPreview, FolderProgress } from '../../common/folder/folder-preview.ts';
import type { Source } from '../../ipc/protocol/queue-item.ts';
import type { FolderApi } from '../engine-interface.ts';
import { type ReadDeps, readFolder } from './read-folder.ts';

/** Maximum number of excluded entries that are listed: as many as the service scans. */
const LISTED = LIMITS.folderRawEntries;

/**
 * Errors: SOURCE_MISSING, SOURCE_NOT_A_FOLDER, SOURCE_UNREADABLE, CANCELLED. What the service would refuse is not an
 * error but the preview's `refusal`.
 */
export const previewFolder = async (
  source: Source,
  deps: ReadDeps,
  onProgress: (progress: FolderProgress) => void,
  signal: AbortSignal,
): Promise<Result<FolderPreview>> => {
  const goes: { path: string; size: number }[] = [];
  let files = 0;
  const reader = {
    onFound(found: number) {
      files = found;
      onProgress({ files, share: null });
    },
    onProgress: (share: number) => onProgress({ files, share }),
    onKept: (kept: string, { length }: Buffer) => void goes.push({ path: kept, size: length }),
  };
  const read = await readFolder(source, deps, reader, { listed: LISTED }, signal);
  if (!read.ok) return read;
  const { account, refusal, unread } = read.value;
  const name = basename(source.path);
  return ok({ name, ...account, goes, archiveBytesAtMost: archiveBytesAtMost(goes), refusal, unread });
};

export const createFolderPreviews = (deps: ReadDeps): FolderApi => ({
  preview: (source, onProgress, signal) => previewFolder(source, deps, onProgress, signal),
  previewPath: ({ path }, signal) => previewFolder({ owner: 'user', path }, deps, () => {}, signal),
});
