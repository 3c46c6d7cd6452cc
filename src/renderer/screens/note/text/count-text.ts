/** Counts the characters and lines of a text in the same way as the service. */

/** Counts code points: a character above U+FFFF takes two UTF-16 units. */
export const charactersOf = (text: string): number => {
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd8_00 && unit <= 0xdb_ff) pairs += 1;
  }
  return text.length - pairs;
};

/** An empty text has 0 lines; a trailing line break does not start a new line. */
export const linesOf = (text: string): number => {
  if (text === '') return 0;
  const ends = text.match(/\r\n|\r|\n/g)?.length ?? 0;
  return /[\r\n]$/.test(text) ? ends : ends + 1;
};
