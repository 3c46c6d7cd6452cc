/** Reads the text that an argument of a command names: a file, or `-` for the standard input. */

import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { detectTextEncoding } from '../../base/common/detect-text-encoding.ts';
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
 * CANCELLED, and those of `TextLimits`.
 */
export const readTextArgument = async (
  file: string,
  { cwd, input }: Pick<CommandContext, 'cwd' | 'input'>,
  { maxBytes, tooLong, notText }: TextLimits,
): Promise<Result<string>> => {
  const bytes =
    file === STANDARD_INPUT ? await readInput(input, maxBytes + 1) : await readAtMost(resolve(cwd, file), maxBytes + 1);
  if (!bytes.ok) return bytes;
  if (bytes.value.length > maxBytes) return err(tooLong);
  try {
    return ok(new TextDecoder(detectTextEncoding(bytes.value), { fatal: true }).decode(bytes.value));
  } catch {
    return err(notText);
  }
};

/** A device or a pipe may be endless. */
const readAtMost = async (path: string, most: number): Promise<Result<Buffer>> => {
  try {
    return ok(await buffer(createReadStream(path, { end: most - 1 })));
  } catch (error) {
    return err(unreadable(error as NodeJS.ErrnoException));
  }
};

const unreadable = ({ code, message, path }: NodeJS.ErrnoException) => {
  if (code === 'ENOENT') return failure('SOURCE_MISSING', message, { params: { name: basename(path ?? '') } });
  if (code === 'EISDIR') return failure('SOURCE_NOT_A_FILE', message, { params: { kind: 'folder' } });
  return failure('SOURCE_UNREADABLE', message);
};
