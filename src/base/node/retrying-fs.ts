/**
 * Functions of `node:fs` that on Windows retry for about four seconds while another program, such as a virus scanner,
 * holds the file; then they throw the last error. On other systems they are those of Node. Also the retries themselves,
 * for any action.
 */
import {
  type Mode,
  copyFileSync as nodeCopyFileSync,
  openSync as nodeOpenSync,
  readFileSync as nodeReadFileSync,
  renameSync as nodeRenameSync,
  rmSync as nodeRmSync,
  writeFileSync as nodeWriteFileSync,
  type PathLike,
  type RmOptions,
  type WriteFileOptions,
} from 'node:fs';
import {
  type FileHandle,
  copyFile as nodeCopyFile,
  open as nodeOpen,
  readFile as nodeReadFile,
  rename as nodeRename,
  rm as nodeRm,
} from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

// A virus scanner, an indexer or a backup opens each new file of Windows for some hundred milliseconds. Node's own
// `maxRetries` retries only `rm` with `recursive`, and `rename` not at all.

/** Milliseconds before each retry; 4.1 s in total. */
const WAITS_MS: readonly number[] = [10, 20, 40, 80, 160, 300, 500, 500, 500, 500, 500, 500, 500];

const HELD: ReadonlySet<string | undefined> = new Set(['EBUSY', 'EPERM', 'EACCES', 'ENOTEMPTY']);

const isWindows = process.platform === 'win32';

/**
 * Runs `action` until it succeeds, fails with an error other than a locked file's, or the retries are used up. Throws
 * the last error.
 */
export const retryWhileLocked = async <T>(
  action: () => Promise<T>,
  wait: (milliseconds: number) => Promise<unknown> = (milliseconds) => sleep(milliseconds),
  codes = HELD,
): Promise<T> => {
  for (const milliseconds of WAITS_MS) {
    try {
      return await action();
    } catch (error) {
      if (!codes.has((error as NodeJS.ErrnoException).code)) throw error;
      await wait(milliseconds);
    }
  }
  return action();
};

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the thread. */
export const blockFor = (milliseconds: number): void => void Atomics.wait(pause, 0, 0, milliseconds);

/** Blocking variant of `retryWhileLocked`; the waits block too. */
export const retryWhileLockedSync = <T>(
  action: () => T,
  wait: (milliseconds: number) => unknown = blockFor,
  codes = HELD,
): T => {
  for (const milliseconds of WAITS_MS) {
    try {
      return action();
    } catch (error) {
      if (!codes.has((error as NodeJS.ErrnoException).code)) throw error;
      wait(milliseconds);
    }
  }
  return action();
};

/** Moves a file or folder and replaces what has the name `to`. Throws as `rename` of `node:fs/promises` does. */
export const rename = (from: PathLike, to: PathLike): Promise<void> =>
  isWindows ? retryWhileLocked(() => nodeRename(from, to)) : nodeRename(from, to);

/** Opening a locked file fails with EBUSY only; a missing permission does not appear by waiting. */
const OPEN_ELSEWHERE: typeof HELD = new Set(['EBUSY']);

/** Runs an action that opens a file, until no other program has it open without sharing. Throws the last error. */
export const retryWhileInUse = <T>(action: () => Promise<T>): Promise<T> =>
  isWindows ? retryWhileLocked(action, undefined, OPEN_ELSEWHERE) : action();

/** Throws as `open` of `node:fs/promises` does. */
export const open = (path: PathLike, flags?: string | number, mode?: number): Promise<FileHandle> =>
  retryWhileInUse(() => nodeOpen(path, flags, mode));

/** Throws as `readFile` of `node:fs/promises` does. */
export const readFile = ((path: PathLike, options?: BufferEncoding) =>
  retryWhileInUse(() => nodeReadFile(path, options ?? null))) as {
  (path: PathLike): Promise<NonSharedBuffer>;
  (path: PathLike, encoding: BufferEncoding): Promise<string>;
};

/** Throws as `copyFile` of `node:fs/promises` does. */
export const copyFile = (from: PathLike, to: PathLike, mode?: number): Promise<void> =>
  retryWhileInUse(() => nodeCopyFile(from, to, mode));

/** Removes a file, or a folder with `recursive`. Throws as `rm` of `node:fs/promises` does. */
export const rm = (path: PathLike, options?: RmOptions): Promise<void> =>
  isWindows ? retryWhileLocked(() => nodeRm(path, options)) : nodeRm(path, options);

/** Blocking `rename`. */
export const renameSync = (from: PathLike, to: PathLike): void =>
  isWindows ? retryWhileLockedSync(() => nodeRenameSync(from, to)) : nodeRenameSync(from, to);

/** Blocking `rm`. */
export const rmSync = (path: PathLike, options?: RmOptions): void =>
  isWindows ? retryWhileLockedSync(() => nodeRmSync(path, options)) : nodeRmSync(path, options);

const retryWhileInUseSync = <T>(action: () => T): T =>
  isWindows ? retryWhileLockedSync(action, undefined, OPEN_ELSEWHERE) : action();

/** Blocking `open`. */
export const openSync = (path: PathLike, flags: string | number, mode?: Mode): number =>
  retryWhileInUseSync(() => nodeOpenSync(path, flags, mode));

/** Blocking `readFile`. */
export const readFileSync = ((path: PathLike, encoding?: BufferEncoding) =>
  retryWhileInUseSync<string | Buffer>(() =>
    encoding === undefined ? nodeReadFileSync(path) : nodeReadFileSync(path, encoding),
  )) as {
  (path: PathLike): NonSharedBuffer;
  (path: PathLike, encoding: BufferEncoding): string;
};

/** Blocking `copyFile`. */
export const copyFileSync = (from: PathLike, to: PathLike, mode?: number): void =>
  retryWhileInUseSync(() => nodeCopyFileSync(from, to, mode));

/** Blocking. Throws as `writeFileSync` of `node:fs` does. */
export const writeFileSync = (
  path: PathLike,
  data: string | NodeJS.ArrayBufferView,
  options?: WriteFileOptions,
): void => retryWhileInUseSync(() => nodeWriteFileSync(path, data, options));
