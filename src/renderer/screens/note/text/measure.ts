/** How long a text is, as the service counts it. */

/** Code points: a character above U+FFFF takes two units. */
export const charactersOf = (text: string): number => {
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd8_00 && unit <= 0xdb_ff) pairs += 1;
  }
  return text.length - pairs;
};

/** An empty text has none; a line end at the end begins no new one. */
export const linesOf = (text: string): number => {
  if (text === '') return 0;
  const ends = text.match(/\r\n|\r|\n/g)?.length ?? 0;
  return /[\r\n]$/.test(text) ? ends : ends + 1;
};
