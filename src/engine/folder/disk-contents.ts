/** Lists and reads a folder on disk. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import type { StaysOut } from '../../common/folder/folder-preview.ts';
import type { FolderFile } from '../../common/folder/select-files.ts';
import type { FileTimes } from '../upload/upload-source.ts';
import type { FolderContents, OnFound } from './folder-contents.ts';
import type { GitHome } from './git-config-home.ts';
import { readFileOnce } from './read-file.ts';
import { walkFolder } from './walk-folder.ts';

const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error;

const rootFailure = ({ code }: NodeJS.ErrnoException): Failure => {
  if (code === 'ENOTDIR') return failure('SOURCE_NOT_A_FOLDER', 'This is a file, not a folder.');
  if (code === 'ENOENT')
    return failure('SOURCE_MISSING', 'The folder is not there any more. Put it back and try again.');
  const detail = `The folder cannot be read (${code}). Check its permissions and try again.`;
  return failure('SOURCE_UNREADABLE', detail, { params: { system: code } });
};

/** `gitHome` null: ignores the user's own git settings. `times` as in `readFileOnce`. */
export const openDiskFolder = async (
  path: string,
  gitHome: GitHome | null,
  times: FileTimes | null,
  onFound: OnFound,
  signal: AbortSignal,
): Promise<Result<FolderContents>> => {
  const files: FolderFile[] = [];
  const skips: StaysOut[] = [];
  try {
    const root = await realpath(path);
    for await (const found of walkFolder(root, gitHome, signal)) {
      for (const file of found.files) files.push(file);
      for (const skip of found.skips) skips.push(skip);
      onFound(files.length);
    }
    return ok({
      files,
      skips,
      unlisted: { skippedFiles: 0, uncountedFolders: 0 },
      gitignore: null,
      read: (name) => readFileOnce(join(root, name), times),
      close: async () => {},
    });
  } catch (error) {
    if (signal.aborted) return err(failure('CANCELLED', 'Reading the folder was cancelled.'));
    if (!isSystemError(error)) throw error;
    return err(rootFailure(error));
  }
};
