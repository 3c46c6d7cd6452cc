/**
 * Reads a folder of code and decides what goes, with the very rules that the service applies again to what it is sent.
 * Every file is read once; what is handed on is what was judged, and what holds a secret is never handed on.
 */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { err, type Failure, failure, ok, type Result } from '../../contract/errors.ts';
import { accountOf, type FolderAccount, type StaysOut } from '../../contract/folder/preview.ts';
import { type FolderFile, type FolderSelection, GITIGNORE, selectFolder } from '../../contract/folder/selection.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { GitHome } from './git-home.ts';
import { type ReadFile, readFileOnce } from './read-file.ts';
import { walkFolder } from './walk.ts';

export interface ReadDeps {
  /** Null: a person's own git settings play no part. */
  readonly gitHome: GitHome | null;
}

/** How reading goes on, and where what goes is put. Files come sorted by path. */
export interface Reader {
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly onKept: (path: string, bytes: Buffer) => void;
}

export interface FolderReading {
  readonly account: FolderAccount;
  /** Why the folder cannot be shared: FOLDER_EMPTY, FOLDER_TOO_MANY_FILES, FOLDER_TOO_LARGE. */
  readonly refusal: Failure | null;
  /** Files that were not looked into, because a limit was passed before their turn. */
  readonly unread: number;
}

/** Files that are read together. */
const AT_ONCE = 16;

const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error;

const rootFailure = ({ code }: NodeJS.ErrnoException): Failure => {
  if (code === 'ENOTDIR') return failure('SOURCE_NOT_A_FOLDER', 'This is a file, not a folder.');
  if (code === 'ENOENT')
    return failure('SOURCE_MISSING', 'The folder is not there any more. Put it back and try again.');
  const detail = `The folder cannot be read (${code}). Check its permissions and try again.`;
  return failure('SOURCE_UNREADABLE', detail, { params: { system: code } });
};

interface Walked {
  readonly root: string;
  readonly files: readonly FolderFile[];
  readonly skips: StaysOut[];
}

const walk = async (path: string, { gitHome }: ReadDeps, signal: AbortSignal): Promise<Result<Walked>> => {
  const files: FolderFile[] = [];
  const skips: StaysOut[] = [];
  try {
    const root = await realpath(path);
    for await (const found of walkFolder(root, gitHome, signal)) {
      for (const file of found.files) files.push(file);
      for (const skip of found.skips) skips.push(skip);
    }
    return ok({ root, files, skips });
  } catch (error) {
    if (signal.aborted) return err(givenUp());
    if (!isSystemError(error)) throw error;
    return err(rootFailure(error));
  }
};

const givenUp = (): Failure => failure('CANCELLED', 'Reading the folder was given up.');

/** Reads the candidates and offers them in their order; answers how many were read and what ended it early. */
const offerAll = async (
  { root, skips }: Walked,
  selection: FolderSelection<FolderFile>,
  { onProgress, onKept }: Reader,
  signal: AbortSignal,
): Promise<{ readonly offered: number; readonly refusal: Failure | null }> => {
  const { candidates } = selection;
  const readFrom = (start: number): Promise<readonly ReadFile[]> =>
    Promise.all(candidates.slice(start, start + AT_ONCE).map(({ path }) => readFileOnce(join(root, path))));
  let coming = readFrom(0);
  for (let start = 0; start < candidates.length && !signal.aborted; start += AT_ONCE) {
    const read = await coming;
    coming = readFrom(start + AT_ONCE);
    for (const [index, found] of read.entries()) {
      const file = candidates[start + index] as FolderFile;
      if ('stays' in found) {
        skips.push({ path: file.path, reason: found.stays, files: 1, size: file.size });
        continue;
      }
      const offered = selection.offer(file, found.bytes);
      if (!offered.ok) {
        await coming;
        return { offered: start + index + 1, refusal: offered.error };
      }
      if (offered.value === 'kept') onKept(file.path, found.bytes);
    }
    onProgress((start + read.length) / candidates.length);
  }
  await coming;
  return { offered: candidates.length, refusal: null };
};

/** `listed`: how many that stay out are named. Errors: SOURCE_MISSING, SOURCE_NOT_A_FOLDER, SOURCE_UNREADABLE, CANCELLED. */
export const readFolder = async (
  path: string,
  deps: ReadDeps,
  reader: Reader,
  { listed }: { readonly listed: number },
  signal: AbortSignal,
): Promise<Result<FolderReading>> => {
  const walked = await walk(path, deps, signal);
  if (!walked.ok) return walked;
  const { root, files, skips } = walked.value;
  const gitignore = files.find((file) => file.path === GITIGNORE);
  const rules =
    gitignore && gitignore.size <= LIMITS.folderFileBytes ? await readFileOnce(join(root, GITIGNORE)) : null;

  const selection = selectFolder(files, rules && 'bytes' in rules ? rules.bytes : null);
  let kept = { files: 0, textBytes: 0 };
  const counting: Reader = {
    ...reader,
    onKept(name, bytes) {
      kept = { files: kept.files + 1, textBytes: kept.textBytes + bytes.length };
      reader.onKept(name, bytes);
    },
  };
  const { offered, refusal } = await offerAll(walked.value, selection, counting, signal);
  if (signal.aborted) return err(givenUp());
  const finished = selection.finish();
  return ok({
    account: accountOf(kept, [...skips, ...selection.skips()], selection.gitignore, listed),
    refusal: refusal ?? (finished.ok ? null : finished.error),
    unread: selection.candidates.length - offered,
  });
};
