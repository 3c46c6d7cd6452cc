/**
 * Replaces invisible characters of an untrusted text, except tabs and line feeds, by visible escapes, because they
 * could change how the text reads.
 */

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

export const revealInvisibleCharacters = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(INVISIBLE, (character) =>
      character === '\n' || character === '\t' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
    );
