/**
 * A pseudo-locale made from the English catalogue: each sentence is two fifths longer, has accents and brackets.
 * Clipped text shows missing space; text without brackets is missing in the catalogue.
 */

export const OPENING = '⟦';
const CLOSING = '⟧';

const ACCENTED: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('aceginorsuyzACEGINORSUYZ', (letter, index) => [letter, [...'åçéğîñöŕšûýžÅÇÉĞÎÑÖŔŠÛÝŽ'][index] ?? letter]),
);
const LONGER = 0.4;
const FILLING = '~ñöţ~šħöŕţ';

/** Nested values are part of the sentence, so only the outermost brackets are kept. */
const disguised = (sentence: string): string => {
  const plain = sentence.replace(/[⟦⟧]/g, '');
  if (!/\p{L}/u.test(plain)) return sentence;
  const accented = plain.replace(/[a-z]/gi, (letter) => ACCENTED[letter] ?? letter);
  const length = Math.max(1, Math.round(plain.length * LONGER));
  // Words of usual length, so that lines break as in a real language.
  const filling = FILLING.repeat(Math.ceil(length / FILLING.length))
    .slice(0, length)
    .replaceAll('~', ' ')
    .trim();
  return `${OPENING}${accented} ${filling}${CLOSING}`;
};

/** The same catalogue, transformed. Language names are kept, because programs read them. */
export const pseudo = <Messages>(messages: Messages): Messages => {
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') return disguised(value);
    if (typeof value === 'function') return (...facts: unknown[]) => change(value(...facts));
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, key === 'language' && inner === 'en' ? inner : change(inner)]),
    );
  };
  return change(messages) as Messages;
};
