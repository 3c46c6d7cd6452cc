/**
 * Joins the recognised words of a picture into rows of text by their positions. Each part of a row refers to its
 * word, so that a match in the text leads to places in the picture. Also normalises text for patterns: Cyrillic
 * letters that look Latin, dashes, quotation marks and spaces.
 */
import type { PictureContent } from '../../../ipc/protocol/vision.ts';
import { withLatinLookalikes } from '../mixed-alphabets.ts';

export type Word = PictureContent['words'][number];

export interface Row {
  /**
   * In letters and signs that patterns expect (`foldedText`). Between words is a space and between columns a tab; where
   * a gap is smaller than a space, nothing or a space, as asked.
   */
  readonly text: string;
  readonly parts: readonly RowPart[];
}

/** A word, and where it is in the text of its row. */
export interface RowPart {
  readonly word: Word;
  readonly start: number;
  readonly end: number;
}

/** Of the smaller word of two in a row. */
const OVERLAP_MIN = 0.6;
/** A heading does not take the small lines beside it. */
const HEIGHT_RATIO_MAX = 2.5;
/** Of the width of a letter. */
const TIGHT_MAX = 0.3;
/** Of the height of a word. */
const COLUMN_MIN = 1.6;

const DASHES = /[\u2010-\u2015\u2212]/g;
const QUOTES = /[\u00ab\u00bb\u201c-\u201f\u2018-\u201b\u2032\u2033`]/g;

/** The same length: Latin letters for Cyrillic ones that look the same, one kind of dash and of quotation mark. */
export const foldedText = (text: string): string =>
  withLatinLookalikes(text).replace(DASHES, '-').replace(QUOTES, '"').replaceAll('\u00a0', ' ');

interface Line {
  readonly words: Word[];
  top: number;
  bottom: number;
}

const isPunctuation = (word: Word): boolean => !/[\p{L}\p{N}]/u.test(word.text);

const belongs = (word: Word, line: Line): boolean => {
  const height = line.bottom - line.top;
  const smaller = Math.min(height, word.height);
  const overlap = Math.min(line.bottom, word.y + word.height) - Math.max(line.top, word.y);
  if (overlap < smaller * OVERLAP_MIN) return false;
  return isPunctuation(word) || Math.max(height, word.height) <= smaller * HEIGHT_RATIO_MAX;
};

const linesOf = (words: readonly Word[]): readonly Line[] => {
  const lines: Line[] = [];
  const [signs, others] = [words.filter(isPunctuation), words.filter((word) => !isPunctuation(word))];
  // Words first: a dash alone says little about the height of its line.
  for (const word of [...others.toSorted((a, b) => a.y + a.height / 2 - (b.y + b.height / 2)), ...signs]) {
    const line = lines.findLast((one) => belongs(word, one));
    if (!line) lines.push({ words: [word], top: word.y, bottom: word.y + word.height });
    else {
      line.words.push(word);
      if (isPunctuation(word)) continue;
      const count = line.words.length;
      line.top += (word.y - line.top) / count;
      line.bottom += (word.y + word.height - line.bottom) / count;
    }
  }
  return lines.toSorted((a, b) => a.top - b.top);
};

const letterWidth = ({ text, width }: Word): number => width / Math.max(1, text.length);

/** A small gap is within a word that was read as two, or in the place of an underscore. */
export type SmallGap = '' | ' ';

const separatorOf = (before: Word, after: Word, smallGap: SmallGap): string => {
  const gap = after.x - (before.x + before.width);
  if (gap > Math.max(before.height, after.height) * COLUMN_MIN) return '\t';
  // Signs have letters of any width.
  const width = Math.max(letterWidth(before), letterWidth(after));
  return gap < width * TIGHT_MAX ? smallGap : ' ';
};

/** From the top to the bottom of the picture. */
export const rowsOf = (words: readonly Word[], smallGap: SmallGap): readonly Row[] =>
  linesOf(words).map((line) => {
    let text = '';
    let before: Word | null = null;
    const parts = line.words
      .toSorted((a, b) => a.x - b.x)
      .map((word) => {
        if (before) text += separatorOf(before, word, smallGap);
        before = word;
        const start = text.length;
        text += foldedText(word.text);
        return { word, start, end: text.length };
      });
    return { text, parts };
  });

/** The words of a row that have letters from `start` to before `end`. */
export const wordsBetween = ({ parts }: Row, start: number, end: number): readonly Word[] =>
  parts.filter((part) => part.start < end && part.end > start).map(({ word }) => word);

/** Columns of a row: parts between tabs. */
export const columnsOf = ({ text, parts }: Row): readonly (readonly RowPart[])[] => {
  const columns: RowPart[][] = [];
  for (const part of parts) {
    const column = columns.at(-1);
    if (column && text.charAt(part.start - 1) !== '\t') column.push(part);
    else columns.push([part]);
  }
  return columns;
};
