/** Aligns rows of cells, at most as wide as the terminal: the flexible cell is shortened. */
import { stripVTControlCharacters } from 'node:util';

/** Characters two cells wide. */
const WIDE = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}/u;
const GAP = '  ';

/** Cells on the screen. */
export const widthOf = (text: string): number => {
  let width = 0;
  for (const character of stripVTControlCharacters(text).normalize('NFC')) {
    if (/\p{Mark}/u.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
};

/** Shortened in the middle, so that a name keeps its extension. Only for text without colours. */
export const shortened = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text;
  const characters = [...text];
  const available = Math.max(3, width - 1);
  const end = Math.floor(available / 3);
  let begin = characters.slice(0, available - end);
  let tail = characters.slice(-end);
  while (widthOf(begin.join('') + tail.join('')) > available && begin.length > 1) {
    if (begin.length > tail.length) begin = begin.slice(0, -1);
    else tail = tail.slice(1);
  }
  return `${begin.join('')}…${tail.join('')}`;
};

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** The last cell of a row is neither padded nor shortened: it is an address or a sentence. */
export const columns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.slice(0, -1).entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : padded(cell, widths[index] ?? 0)))
      .join(GAP)
      .trimEnd(),
  );
};
