/** Shows what sharing a folder would send, before anything is packed or sent. */
import { basename } from 'node:path';
import { ok, type Result } from '../../contract/errors.ts';
import type { FolderPreview } from '../../contract/folder/preview.ts';
import { archivePath } from './archive-path.ts';
import { type ReadDeps, readFolder } from './read-folder.ts';
import { archiveBytesAtMost } from './zip.ts';

/** That stay out and are named; a person who looks through more than this looks at the folder itself. */
const LISTED = 2_000;

/** Errors: SOURCE_MISSING, SOURCE_NOT_A_FOLDER, SOURCE_UNREADABLE, CANCELLED. What the service would refuse is no error but the preview's `refusal`. */
export const previewFolder = async (
  path: string,
  deps: ReadDeps,
  signal: AbortSignal,
): Promise<Result<FolderPreview>> => {
  const goes: { path: string; size: number }[] = [];
  const onKept = (kept: string, { length }: Buffer) => void goes.push({ path: kept, size: length });
  const read = await readFolder(path, deps, { onProgress: () => {}, onKept }, { listed: LISTED }, signal);
  if (!read.ok) return read;
  const { account, refusal, unread } = read.value;
  const archived = goes.map((file) => ({ ...file, path: archivePath(file.path) }));
  const name = basename(path);
  return ok({ name, ...account, goes, archiveBytesAtMost: archiveBytesAtMost(archived), refusal, unread });
};
