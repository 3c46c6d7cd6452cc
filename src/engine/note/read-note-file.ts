/**
 * Reads a file that becomes a note: UTF-8, or UTF-16 with a byte order mark. Refuses a file that is not text, or has
 * more bytes than the longest note; the caller counts the characters.
 */
import { TextDecoder } from 'node:util';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { LIMITS, NOTE_MAX_BYTES } from '../../api/limits.ts';
import { detectTextEncoding } from '../../base/common/detect-text-encoding.ts';
import { type OpenSourceAt, readUnchanged } from '../upload/upload-source.ts';

/** Reads UTF-8, or UTF-16 with a byte order mark. Errors: SOURCE_*, NOTE_TOO_LONG, NOTE_NOT_TEXT. */
export const readNoteFile = async (path: string, openSource: OpenSourceAt): Promise<Result<string>> => {
  const source = await openSource(path);
  if (!source.ok) return source;
  const { size } = source.value;
  try {
    if (size > NOTE_MAX_BYTES) return err(tooManyBytes(size));
    const bytes = await readUnchanged(source.value, size);
    return bytes.ok ? decoded(bytes.value) : bytes;
  } finally {
    await source.value.close();
  }
};

const tooManyBytes = (bytes: number): Failure =>
  failure('NOTE_TOO_LONG', 'The file is longer than a note can be. Share it as a file.', {
    params: { bytes, limit: LIMITS.noteMaxCharacters },
  });

const decoded = (bytes: Buffer): Result<string> => {
  try {
    const text = new TextDecoder(detectTextEncoding(bytes), { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return ok(text);
  } catch {
    // Not text.
  }
  return err(failure('NOTE_NOT_TEXT', 'This is not text in UTF-8 or UTF-16.'));
};
