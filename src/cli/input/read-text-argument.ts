/**
 * Reads the text that an argument of a command names: a file, a pipe or a device, or `-` for the standard input. A file
 * that is edited meanwhile is refused.
 */

import { close, constants, createReadStream, fstat, open, read, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { detectTextEncoding } from '../../base/common/detect-text-encoding.ts';
import { changed, createOpenSource, readUnchanged } from '../../engine/upload/upload-source.ts';
import type { CommandContext } from '../command-context.ts';
import { readInput } from './standard-input.ts';

export const STANDARD_INPUT = '-';

/** The limits of a text, and the errors beyond them. */
export interface TextLimits {
  readonly maxBytes: number;
  readonly tooLong: Failure;
  readonly notText: Failure;
}

/**
 * UTF-8, or UTF-16 with its mark; a mark is removed. Errors: SOURCE_MISSING, SOURCE_UNREADABLE, SOURCE_NOT_A_FILE,
 * SOURCE_CHANGED, CANCELLED, and those of `TextLimits`.
 */
export const readTextArgument = async (
  file: string,
  { cwd, input }: Pick<CommandContext, 'cwd' | 'input'>,
  { maxBytes, tooLong, notText }: TextLimits,
  signal: AbortSignal,
): Promise<Result<string>> => {
  const bytes =
    file === STANDARD_INPUT
      ? await readInput(input, maxBytes + 1)
      : await readAtMost(resolve(cwd, file), maxBytes + 1, signal);
  if (!bytes.ok) return bytes;
  if (bytes.value.length > maxBytes) return err(tooLong);
  try {
    return ok(new TextDecoder(detectTextEncoding(bytes.value), { fatal: true }).decode(bytes.value));
  } catch {
    return err(notText);
  }
};

const [openFd, closeFd, fstatFd, readFd] = [promisify(open), promisify(close), promisify(fstat), promisify(read)];

/** A device or a pipe may be endless. */
const readAtMost = async (path: string, most: number, signal: AbortSignal): Promise<Result<Buffer>> => {
  try {
    // Without O_NONBLOCK opening a named pipe waits for a writer, and nothing can stop it. Windows has neither.
    const fd = await openFd(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = await fstatFd(fd);
    if (stats.isDirectory() || (stats.isFile() && stats.size > 0))
      return await readFileAt(fd, most).finally(() => closeFd(fd));
    const streamed = await readInput({ stream: addAbortSignal(signal, streamOf(fd, stats)), isWatched: false }, most);
    // A file of /proc has no size; another one was empty for a moment.
    return stats.isFile() && (await stat(path)).size > 0 ? err(changed()) : streamed;
  } catch (error) {
    return err(unreadable(error as NodeJS.ErrnoException));
  }
};

const readFileAt = async (fd: number, most: number): Promise<Result<Buffer>> => {
  const file = {
    stat: () => fstatFd(fd, { bigint: true }),
    read: (into: Buffer, offset: number, length: number, position: number) =>
      readFd(fd, into, offset, length, position),
    close: async () => {},
  };
  const source = await createOpenSource(async () => file)('');
  if (source.ok) return readUnchanged(source.value, Math.min(source.value.size, most));
  const { code, detail } = source.error;
  return code === 'SOURCE_NOT_A_FILE' ? err(failure(code, detail, { params: { kind: 'folder' } })) : source;
};

/** Waits without a thread where that is possible: a read that has begun in a thread cannot be stopped. */
const streamOf = (fd: number, stats: Stats): Readable => {
  if (isatty(fd)) return new ReadStream(fd);
  if (stats.isFIFO() && constants.O_NONBLOCK !== undefined) return new Socket({ fd, writable: false });
  return createReadStream('', { fd });
};

const unreadable = ({ code, message, path }: NodeJS.ErrnoException) => {
  if (code === 'ENOENT') return failure('SOURCE_MISSING', message, { params: { name: basename(path ?? '') } });
  if (code === 'EISDIR') return failure('SOURCE_NOT_A_FILE', message, { params: { kind: 'folder' } });
  return failure('SOURCE_UNREADABLE', message);
};
