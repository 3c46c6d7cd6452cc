/** Validates note texts before anything is sent (API document, "Limits"), and reads the files that become notes. */
import { TextDecoder } from 'node:util';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';
import { detectTextEncoding } from '../../ipc/protocol/detect-text-encoding.ts';
import { changed, type OpenSourceAt } from '../upload/upload-source.ts';

/** Null: valid. Errors: NOTE_EMPTY; NOTE_TOO_LONG with `params.characters` and `params.limit`, code points. */
export const validateNoteText = (text: string): Failure | null => {
  if (text === '') return failure('NOTE_EMPTY', 'There is no text to share.');
  const characters = codePoints(text);
  if (characters <= LIMITS.noteMaxCharacters) return null;
  const [have, limit] = [characters.toLocaleString('en'), LIMITS.noteMaxCharacters.toLocaleString('en')];
  return failure(
    'NOTE_TOO_LONG',
    `The text has ${have} characters; a note can have at most ${limit}. Share it as a file.`,
    {
      params: { characters, limit: LIMITS.noteMaxCharacters },
    },
  );
};

/** A character above U+FFFF takes two units. */
const codePoints = (text: string): number => {
  let pairs = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd8_00 && unit <= 0xdb_ff) pairs++;
  }
  return text.length - pairs;
};

/** Four bytes per character in UTF-8, and a byte order mark. */
const BYTES_MAX = LIMITS.noteMaxCharacters * 4 + 3;

/** Reads UTF-8, or UTF-16 with a byte order mark. Errors: SOURCE_*, NOTE_TOO_LONG, NOTE_NOT_TEXT. */
export const readNoteFile = async (path: string, openSource: OpenSourceAt): Promise<Result<string>> => {
  const source = await openSource(path);
  if (!source.ok) return source;
  const { size } = source.value;
  try {
    if (size > BYTES_MAX) return err(tooManyBytes(size));
    const bytes = await source.value.read(Buffer.alloc(size), 0);
    if (!bytes.ok) return bytes;
    if (!source.value.isMtimeReliable) {
      const reread = await source.value.read(Buffer.alloc(size), 0);
      if (!reread.ok) return reread;
      if (!reread.value.equals(bytes.value)) return err(changed());
    }
    return decoded(bytes.value);
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
