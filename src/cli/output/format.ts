/**
 * Formats text for the terminal: sizes, times, counts, colours and columns. Also replaces the control characters of
 * text and JSON.
 */
import { stripVTControlCharacters, styleText } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Binary units, as the service counts. */
export const formatBytes = (bytes: number): string => {
  const step = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${UNITS[step]}`;
};

export const formatDuration = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return seconds < 3_600 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** An instant in local time, to the minute; seconds are noise in lists. */
export const formatTime = (at: Date): string => {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
};

const ESCAPE = String.fromCharCode(27);
/** A colour, or a character that must not reach a terminal. */
const OBEYED = new RegExp(`(${ESCAPE}\\[\\d{1,2}m)|[^\\P{Cc}\\n\\t]|\\p{Bidi_Control}`, 'gu');

/** A line or page made safe for a terminal: no control characters but line ends, tabs and, where wanted, colours. */
export const printablePage = (text: string, colours: 'with colours' | 'without colours'): string =>
  text.replace(OBEYED, (_, style: string | undefined) =>
    style === undefined ? '?' : colours === 'with colours' ? style : '',
  );

/** JSON made safe for terminals, with the same values: JSON.stringify escapes only the controls below U+0020. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Control characters of a name must not reach a terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}|\p{Bidi_Control}/gu, '?');

// Terminal colours: off if the output is not a terminal, and with NO_COLOR.

export interface Style {
  readonly isColoured: boolean;
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  warn(text: string): string;
  bad(text: string): string;
}

const plain = (text: string): string => text;
const drawn = (format: Parameters<typeof styleText>[0]) => (text: string) =>
  styleText(format, text, { validateStream: false });

export const PLAIN: Style = { isColoured: false, bold: plain, dim: plain, good: plain, warn: plain, bad: plain };

const COLOURED: Style = {
  isColoured: true,
  bold: drawn('bold'),
  dim: drawn('dim'),
  good: drawn('green'),
  warn: drawn('yellow'),
  bad: drawn('red'),
};

/** Values of FORCE_COLOR that turn colours off, also on a terminal. */
const NOT_COLOURED: ReadonlySet<string> = new Set(['0', 'false']);

/** Follows the conventions of no-color.org and FORCE_COLOR. */
export const styleFor = (
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Style => {
  const { NO_COLOR, TERM, FORCE_COLOR = '' } = environment;
  if (NO_COLOR || TERM === 'dumb' || NOT_COLOURED.has(FORCE_COLOR)) return PLAIN;
  return stream.isTTY || FORCE_COLOR ? COLOURED : PLAIN;
};

// Aligns rows of cells in columns, by the width of text in terminal cells. Also shortens a text.

const GAP = '  ';

const ASCII = /^[ -~]*$/;
/** A grapheme without a cell of its own, such as a zero-width space. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Control}\p{Mark}]+$/u;
/** A grapheme that terminals draw as a picture, two cells wide. U+FE0F asks for a picture of a character. */
const PICTURE = /\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u;
/** Created with the first text that needs it: most output is ASCII. */
let segmenter: Intl.Segmenter | undefined;

const graphemesOf = (text: string): string[] => {
  if (ASCII.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
};

const cellsOf = (grapheme: string): number => {
  if (INVISIBLE.test(grapheme)) return 0;
  return PICTURE.test(grapheme) ? 2 : eastAsianWidth(grapheme.codePointAt(0) ?? 0);
};

/** Cells on the screen. */
export const widthOf = (text: string): number => {
  const visible = stripVTControlCharacters(text);
  if (ASCII.test(visible)) return visible.length;
  return graphemesOf(visible).reduce((width, grapheme) => width + cellsOf(grapheme), 0);
};

/** Shortened in the middle, so that a name keeps its extension. Only for text without colours. */
export const shortened = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text;
  const characters = graphemesOf(text);
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
