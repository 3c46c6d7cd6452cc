/**
 * Finds lists of one-time codes, such as recovery codes, below or beside the words for them, in one or more columns.
 * Equal shapes make a list of them: a digit or a word in a sentence below the label is no code.
 */
import type { SecretPart } from './secret-patterns.ts';
import { columnsOf, foldedText, type Row, type RowPart } from './text-rows.ts';

const LABEL = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${foldedText(
    '(?:access|backup|emergency|login|one-time|recovery|scratch|security|verification)[ -]codes|(?:резервные|запасные|одноразовые|аварийные) коды|коды (?:восстановления|доступа|подтверждения|безопасности)',
  )})(?![\\p{L}\\p{N}])`,
  'giu',
);

/** Of the height of the text above: how far below its label a list may begin, after a few lines that explain it. */
const FIRST_BELOW_MAX = 12;
/** The same from row to row. */
const NEXT_BELOW_MAX = 3.5;

const CODE = /^[\p{L}\p{N}]{3,32}(?:[-_.][\p{L}\p{N}]{3,32})*$/u;
/** Before a code: its number, or a box to tick as it is read. */
const NUMBERING = /^(?:\d{1,2}|\p{L})?$/u;

interface Codes {
  readonly row: Row;
  readonly parts: readonly RowPart[];
  readonly words: readonly string[];
}

const shapeOf = (word: string): string => word.replace(/[\p{L}\p{N}]+/gu, ({ length }) => String(length));

/** Equal codes count; groups of few digits need to be more, as a number of a year has as many. */
const weightOf = (word: string): number => (/\p{L}/u.test(word) || word.length >= 6 ? 2 : 1);
const WEIGHT_MIN = 4;

const isCode = (word: string): boolean =>
  CODE.test(word) && /\d/.test(word) && (/^\d{3,10}$/.test(word) || word.length >= 5);
/** Without digits it may be a word. */
const mayBeCode = (word: string): boolean => isCode(word) || (CODE.test(word) && /[-_.]/.test(word));

/** Columns of a row that hold nothing but codes. */
const codesIn = (row: Row, from: number): readonly Codes[] =>
  columnsOf(row).flatMap((column) => {
    const all = column
      .filter(({ start }) => start >= from)
      .map((part) => ({
        part,
        word: row.text.slice(part.start, part.end).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''),
      }));
    const first = all.findIndex(({ word }) => !NUMBERING.test(word));
    const codes = all.slice(first).filter(({ word }) => word !== '');
    if (first < 0 || !codes.every(({ word }) => mayBeCode(word))) return [];
    return [{ row, parts: codes.map(({ part }) => part), words: codes.map(({ word }) => word) }];
  });

/** The rows from the label on, as far as codes follow each other. */
const listFrom = (rows: readonly Row[], at: number, labelEnd: number): readonly Codes[] => {
  const list: Codes[] = [];
  let above = rows[at]?.parts.findLast(({ start }) => start < labelEnd)?.word;
  for (const [index, row] of rows.slice(at).entries()) {
    const codes = codesIn(row, index === 0 ? labelEnd : 0);
    const word = (codes[0]?.parts ?? row.parts)[0]?.word;
    if (!above || !word) break;
    const max = list.length === 0 ? FIRST_BELOW_MAX : NEXT_BELOW_MAX;
    if (word.y - (above.y + above.height) > above.height * max) break;
    if (codes.length === 0) continue;
    list.push(...codes);
    above = word;
  }
  return list;
};

/** What has the shape of a list; then all of it counts, as a letter more or less may have been read in one. */
const asList = (list: readonly Codes[]): readonly Codes[] => {
  const weights = new Map<string, number>();
  for (const word of list.flatMap(({ words }) => words.filter(isCode)))
    weights.set(shapeOf(word), (weights.get(shapeOf(word)) ?? 0) + weightOf(word));
  const isShape = (word: string): boolean => (weights.get(shapeOf(word)) ?? 0) >= WEIGHT_MIN;
  if (!list.some(({ words }) => words.some(isShape))) return [];
  return list.filter(({ words }) => words.every((word) => isCode(word) || isShape(word)));
};

/** One part for each column of a row. */
export const findCodeLists = (
  rows: readonly Row[],
  at: number,
): readonly { readonly row: Row; readonly part: SecretPart }[] => {
  const label = [...(rows[at]?.text ?? '').matchAll(LABEL)].at(-1);
  if (!label) return [];
  return asList(listFrom(rows, at, label.index + label[0].length)).map(({ row, parts }) => ({
    row,
    part: { kind: 'password', start: parts[0]?.start ?? 0, end: parts.at(-1)?.end ?? 0 },
  }));
};
