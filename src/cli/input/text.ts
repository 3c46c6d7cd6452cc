/** The text that a word on the command line means: of a file, or of the standard input. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { err, failure, ok, type Result } from '../../contract/errors.ts';
import type { Surroundings } from '../surroundings.ts';
import { readInput } from './standard-input.ts';

export const STANDARD_INPUT = '-';

/** Errors: SOURCE_MISSING, SOURCE_UNREADABLE, SOURCE_NOT_A_FILE, COMMAND_INVALID for what is no UTF-8 or too much. */
export const textOf = async (
  file: string,
  { cwd, input }: Pick<Surroundings, 'cwd' | 'input'>,
  maxBytes: number,
): Promise<Result<string>> => {
  const bytes =
    file === STANDARD_INPUT
      ? await readInput(input, maxBytes)
      : await readFile(resolve(cwd, file)).then(ok, (error: NodeJS.ErrnoException) => err(unreadable(error)));
  if (!bytes.ok) return bytes;
  if (bytes.value.length > maxBytes) return err(failure('COMMAND_INVALID', 'The file holds more than this can be.'));
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes.value));
  } catch {
    return err(failure('COMMAND_INVALID', 'This is not text in UTF-8.'));
  }
};

const unreadable = ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'ENOENT') return failure('SOURCE_MISSING', message);
  if (code === 'EISDIR') return failure('SOURCE_NOT_A_FILE', message, { params: { kind: 'folder' } });
  return failure('SOURCE_UNREADABLE', message);
};
