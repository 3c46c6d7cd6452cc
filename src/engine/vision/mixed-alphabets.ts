/**
 * Corrects letters that text recognition read in the wrong alphabet: many Latin and Cyrillic letters look the same, and
 * Tesseract mixes them within a word. A word of only such letters gets the alphabet of its line, else of the text;
 * abbreviations in capitals stay as they are. Also replaces Cyrillic letters with Latin look-alikes to compare texts.
 */

const LATIN = 'ABCEHKMOPTXYaceopxy';
const CYRILLIC = 'АВСЕНКМОРТХУасеорху';

type Script = 'latin' | 'cyrillic';

const TO_CYRILLIC = new Map([...LATIN].map((letter, index) => [letter, CYRILLIC[index] ?? letter]));
const TO_LATIN = new Map([...CYRILLIC].map((letter, index) => [letter, LATIN[index] ?? letter]));

/** Of letters that only one alphabet has. */
const scriptOf = (letter: string): Script | null => {
  if (TO_CYRILLIC.has(letter) || TO_LATIN.has(letter)) return null;
  if (/\p{Script=Latin}/u.test(letter)) return 'latin';
  return /\p{Script=Cyrillic}/u.test(letter) ? 'cyrillic' : null;
};

/** The alphabet of most of the letters that only one has; null: none, or as many of both. */
const majorityOf = (text: string): Script | null => {
  let balance = 0;
  for (const letter of text) {
    const script = scriptOf(letter);
    if (script) balance += script === 'latin' ? 1 : -1;
  }
  if (balance === 0) return null;
  return balance > 0 ? 'latin' : 'cyrillic';
};

const inScript = (word: string, script: Script): string => {
  const letters = script === 'latin' ? TO_LATIN : TO_CYRILLIC;
  return [...word].map((letter) => letters.get(letter) ?? letter).join('');
};

const FOLDED = new Map(
  [...TO_LATIN].flatMap(
    ([from, to]) =>
      [
        [from, to],
        [from.toLowerCase(), to.toLowerCase()],
      ] as const,
  ),
);

/**
 * The text of the same length with Latin letters for the Cyrillic ones that look the same. Both cases of a letter become
 * the same Latin letter in their own case, so that a pattern without regard to case matches either.
 */
export const withLatinLookalikes = (text: string): string =>
  [...text].map((letter) => TO_LATIN.get(letter) ?? FOLDED.get(letter) ?? letter).join('');

/** Such as HTTP: abbreviations keep their alphabet in a text of the other one. */
const isAbbreviation = (word: string): boolean => /^\p{Lu}{3,}$/u.test(word);

/** Each word in one alphabet: its own, else that of its line, else that of the text. */
export const inOneScript = <W extends { readonly text: string }>(
  lines: readonly (readonly W[])[],
): readonly (readonly W[])[] => {
  const ofText = majorityOf(lines.flatMap((line) => line.map(({ text }) => text)).join(' '));
  return lines.map((line) => {
    const ofLine = majorityOf(line.map(({ text }) => text).join(' ')) ?? ofText;
    return line.map((word) => {
      // Parts of an address or of code may be in different ones.
      const text = word.text.replace(/\p{L}+/gu, (part) => {
        const script = majorityOf(part) ?? (isAbbreviation(part) ? null : ofLine);
        return script ? inScript(part, script) : part;
      });
      return text === word.text ? word : { ...word, text };
    });
  });
};
