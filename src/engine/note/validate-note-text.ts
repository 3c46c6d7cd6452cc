/** Validates the texts of notes before anything is sent (API document, "Limits"). */
import { type Failure, failure } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';

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
