/**
 * Cleans a file name for storage: removes control characters and path separators, and shortens it but keeps the
 * extension (API document, "start a resumable upload", `filename`).
 */
import { LIMITS } from '../../api/limits.ts';

/**
 * Control and format characters (a right-to-left override can hide an extension) and the separators of every system.
 * The two joiners stay: emoji and several scripts need them.
 */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}/\\]|(?![\u200c\u200d])\p{Cf}/gu;
/** Longer than this it is a part of the name, not an extension. */
const EXTENSION = /\.[^.\s]{1,16}$/u;
/** Invisible, or the name of a folder. */
const NO_NAME = /^[.\u200c\u200d]*$/u;
const NAMELESS = 'file';

/** Without control characters and path separators, at most 180 characters (code points), with the extension kept. */
export const storedFilename = (filename: string): string => {
  const clean = filename.replace(FORBIDDEN, '').trim();
  if (NO_NAME.test(clean)) return NAMELESS;
  const characters = [...clean];
  if (characters.length <= LIMITS.storedFilenameMaxCharacters) return clean;
  const extension = [...(EXTENSION.exec(clean)?.[0] ?? '')];
  const stem = characters.slice(0, LIMITS.storedFilenameMaxCharacters - extension.length);
  return [...stem, ...extension].join('');
};
