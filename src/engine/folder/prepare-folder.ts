/**
 * Packs the selected files of a code folder into an archive that the app keeps until it is sent. Files are packed in
 * memory while others are read; limits are checked before anything is written, and the packed bytes are exactly those
 * that were checked.
 */

import { open } from 'node:fs/promises';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';
import { rename, rm } from '../../base/node/retrying-fs.ts';
import type { ZipEntry } from '../../base/node/zip-records.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import { archivePath } from '../../common/folder/archive-path-and-size.ts';
import type { FolderSummary } from '../../common/folder/folder-preview.ts';
import type { PreparedFile } from '../../ipc/protocol/prepared-file.ts';
import { preparedPath } from '../profile/spool.ts';
import { UNFINISHED } from '../spool-file-endings.ts';
import type { Prepare } from '../upload/preparation-types.ts';
import { type ReadDeps, readFolder } from './read-folder.ts';
import { packFile, writeZip } from './zip-writer.ts';

export interface FolderPrepareDeps extends ReadDeps {
  readonly spoolDir: string;
}

/** Share of the total progress that reading takes. */
const READING = 0.8;

export const createFolderPrepare =
  (deps: FolderPrepareDeps): Prepare =>
  async (item, { onProgress }, signal) => {
    const files: Promise<ZipEntry>[] = [];
    const reader = {
      onFound: () => {},
      onProgress: (share: number) => onProgress(share * READING),
      onKept(path: string, bytes: Buffer) {
        const packed = packFile(archivePath(path), bytes);
        // The result is not awaited when the folder is refused.
        packed.catch(() => {});
        files.push(packed);
      },
    };
    const read = await readFolder(item.source, deps, reader, { listed: LIMITS.folderSkippedListed }, signal);
    if (!read.ok) return read;
    if (read.value.refusal) return err(read.value.refusal);

    const path = preparedPath(deps.spoolDir, item.id);
    const written = await writeArchive(path, files, (share) => onProgress(READING + share * (1 - READING)), signal);
    return written.ok ? ok(bodyOf(item.name, path, written.value, read.value.account)) : written;
  };

const bodyOf = (name: string, path: string, size: number, selection: FolderSummary): PreparedFile => ({
  path,
  name: `${name}.zip`,
  size,
  made: { kind: 'folder', selection },
});

/** The file gets its final name only when it is complete and synced. */
const writeArchive = async (
  path: string,
  files: readonly Promise<ZipEntry>[],
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Result<number>> => {
  const unfinished = path + UNFINISHED;
  try {
    const file = await open(unfinished, 'w', 0o600);
    try {
      const size = await writeZip(file, files, onProgress, signal);
      await file.datasync();
      await file.close();
      await rename(unfinished, path);
      return ok(size);
    } catch (error) {
      await file.close();
      await rm(unfinished, { force: true });
      throw error;
    }
  } catch (error) {
    if (signal.aborted) return err(failure('CANCELLED', 'Packing the folder was cancelled.'));
    return diskFullOrThrow(error);
  }
};
