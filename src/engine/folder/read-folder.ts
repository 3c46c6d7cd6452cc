/**
 * Reads a code folder for sharing, and selects its files by the same rules as the service. It passes on exactly the
 * bytes that were checked, and excludes files that are secret by name or contain a private key.
 */

import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';
import { excludedEntriesOf, type FolderSummary, folderSummaryOf } from '../../common/folder/folder-preview.ts';
import { type FolderFile, type FolderSelection, GITIGNORE, selectFolder } from '../../common/folder/select-files.ts';
import { isAwayCode } from '../../common/is-drive-away.ts';
import type { Source } from '../../ipc/protocol/queue-item.ts';
import type { FileTimes } from '../upload/upload-source.ts';
import type { FolderContents, OnFound } from './folder-contents.ts';
import { diskFailure, openBundle, openDiskFolder } from './folder-contents.ts';
import type { GitHome } from './git-home.ts';
import type { ReadFile } from './read-stable-file.ts';

export interface ReadDeps {
  /** Looked for at each reading. Null: ignores the user's own git settings. */
  readonly gitHome: (() => GitHome) | null;
  /** Null: no modification time is trusted, so files are read twice. */
  readonly times: FileTimes | null;
}

/** Receives the progress and the selected files, sorted by path. */
export interface Reader {
  readonly onFound: OnFound;
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly onKept: (path: string, bytes: Buffer) => void;
}

export interface FolderReading {
  readonly account: FolderSummary;
  /** Why the folder cannot be shared: FOLDER_EMPTY, FOLDER_TOO_MANY_FILES, FOLDER_TOO_LARGE. */
  readonly refusal: Failure | null;
  /** Number of files not read because a limit was exceeded before. */
  readonly unread: number;
}

/** Files that are read concurrently. */
const CONCURRENT_READS = 16;

const noRules = (error: NodeJS.ErrnoException | undefined): Failure => {
  if (isAwayCode(error?.code)) return diskFailure(error as NodeJS.ErrnoException);
  return failure('SOURCE_UNREADABLE', 'The .gitignore of the folder cannot be read. Try again.', {
    params: { name: GITIGNORE },
  });
};
const cancelled = (): Failure => failure('CANCELLED', 'Reading the folder was cancelled.');

/**
 * Reads the candidates and offers them to the selection in order; returns how many were offered and the error that
 * stopped it early.
 */
const offerAll = async (
  { skips, read: readFile }: FolderContents,
  selection: FolderSelection<FolderFile>,
  { onProgress, onKept }: Reader,
  signal: AbortSignal,
): Promise<{ readonly offered: number; readonly refusal: Failure | null }> => {
  const { candidates } = selection;
  const readFrom = (start: number): Promise<readonly ReadFile[]> =>
    Promise.all(candidates.slice(start, start + CONCURRENT_READS).map(({ path }) => readFile(path)));
  let upcoming = readFrom(0);
  for (let start = 0; start < candidates.length && !signal.aborted; start += CONCURRENT_READS) {
    const read = await upcoming;
    upcoming = readFrom(start + CONCURRENT_READS);
    for (const [index, found] of read.entries()) {
      const file = candidates[start + index] as FolderFile;
      if ('stays' in found) {
        skips.push({ path: file.path, reason: found.stays, files: 1, size: file.size });
        continue;
      }
      const offered = selection.add(file, found.bytes);
      if (!offered.ok) {
        await upcoming;
        return { offered: start + index + 1, refusal: offered.error };
      }
      if (offered.value === 'kept') onKept(file.path, found.bytes);
    }
    onProgress((start + read.length) / candidates.length);
  }
  await upcoming;
  return { offered: candidates.length, refusal: null };
};

/**
 * `listed`: how many excluded entries are listed. A spooled folder is a bundle from a page. Errors: SOURCE_MISSING,
 * SOURCE_NOT_A_FOLDER, SOURCE_UNREADABLE, CANCELLED.
 */
export const readFolder = async (
  source: Source,
  { gitHome, times }: ReadDeps,
  reader: Reader,
  how: { readonly listed: number },
  signal: AbortSignal,
): Promise<Result<FolderReading>> => {
  const opened =
    source.owner === 'spool'
      ? await openBundle(source.path)
      : await openDiskFolder(source.path, gitHome, times, reader.onFound, signal);
  if (!opened.ok) return opened;
  try {
    return await selectFrom(opened.value, reader, how, signal);
  } finally {
    await opened.value.close();
  }
};

const selectFrom = async (
  contents: FolderContents,
  reader: Reader,
  { listed }: { readonly listed: number },
  signal: AbortSignal,
): Promise<Result<FolderReading>> => {
  const { files, skips, unlisted } = contents;
  const gitignore = files.find((file) => file.path === GITIGNORE);
  const rules = gitignore && gitignore.size <= LIMITS.folderFileBytes ? await contents.read(GITIGNORE) : null;
  if (rules && 'stays' in rules && rules.stays === 'unreadable')
    return err((await contents.findLoss()) ?? noRules(rules.error));

  const selection = selectFolder(files, rules && 'bytes' in rules ? rules.bytes : null);
  let kept = { files: 0, textBytes: 0 };
  const counting: Reader = {
    ...reader,
    onKept(name, bytes) {
      kept = { files: kept.files + 1, textBytes: kept.textBytes + bytes.length };
      reader.onKept(name, bytes);
    },
  };
  const { offered, refusal } = await offerAll(contents, selection, counting, signal);
  if (signal.aborted) return err(cancelled());
  const loss = await contents.findLoss();
  if (loss) return err(loss);
  const finished = selection.finish();
  const state = contents.gitignore ?? selection.gitignore;
  const account = folderSummaryOf(kept, [...skips, ...excludedEntriesOf(selection)], state, listed);
  return ok({
    account: {
      ...account,
      skippedFiles: account.skippedFiles + unlisted.skippedFiles,
      uncountedFolders: account.uncountedFolders + unlisted.uncountedFolders,
    },
    refusal: refusal ?? (finished.ok ? null : finished.error),
    unread: selection.candidates.length - offered,
  });
};
