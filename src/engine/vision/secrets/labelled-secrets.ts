/**
 * Finds secrets by the label beside them, in English and Russian: passwords, codes, and keys and tokens of any form.
 * The value follows its label, mostly after a colon or an equals sign, or is in the next column or in the field below;
 * of codes it may be a whole list.
 */

import { findCodeLists } from './code-lists.ts';
import type { SecretPart } from './secret-patterns.ts';
import { columnsOf, foldedText, type Row, type RowPart } from './text-rows.ts';

interface Label {
  readonly kind: 'password' | 'key' | 'token';
  readonly pattern: string;
  /** Whether a text beside the label may be what it names. */
  readonly accepts: (value: string) => boolean;
}

const hasLetter = (text: string): boolean => /\p{L}/u.test(text);
const hasDigit = (text: string): boolean => /\d/.test(text);
const hasSign = (text: string): boolean => /[^\p{L}\p{N}\s.,:;'"()[\]|-]/u.test(text);

/** Letters with digits or signs: no word of a sentence. */
const isMixed = (value: string): boolean =>
  value.length >= 5 && hasLetter(value) && (hasDigit(value) || hasSign(value));
const isLongMixed = (value: string): boolean =>
  (value.length >= 8 && hasLetter(value) && hasDigit(value)) || /^[\w+/=.-]{20,}$/.test(value);

const LABELS: readonly Label[] = [
  {
    kind: 'password',
    // The last one is the Russian word as it looks in Latin letters.
    pattern:
      'passw[o0]rd|passwd|passphrase|passcode|pwd|pass|пароль|кодовое слово|парольная фраза|[mnh]apo(?:n|l|ji|jl)[bs6]',
    accepts: (value) => value.length >= 4,
  },
  {
    kind: 'password',
    pattern:
      'pin(?:[ -]?code)?|otp|cvv2?|cvc2?|(?:verification|security|confirmation|one-time|login|access|backup|recovery)[ -]codes?|пин(?:-код)?|код (?:подтверждения|доступа|безопасности|из смс)',
    accepts: (value) => /^[\d-]{3,10}$/.test(value) || isMixed(value),
  },
  {
    kind: 'token',
    pattern:
      '(?:access|auth|api|refresh|session|bearer|bot|personal|github|gitlab|slack|npm|csrf)?[ _-]?token|токен(?: доступа)?',
    accepts: isLongMixed,
  },
  {
    kind: 'key',
    pattern:
      '(?:api|access|secret|private|encryption|signing|license|account|master|service)[ _-]?(?:access[ _-]?)?key(?:[ _-]?id)?|(?:client|app|shared|webhook|jwt)?[ _-]?secret|(?:секретный |лицензионный )?ключ(?: доступа| api| шифрования)?|секрет',
    accepts: isLongMixed,
  },
];

/** What a field shows that holds no secret. */
const NO_VALUE = new RegExp(
  foldedText(
    '^(?:[*•●·.xX_-]+|null|none|nil|true|false|undefined|yes|no|empty|set|unset|required|optional|incorrect|invalid|wrong|weak|strong|medium|expired|changed|hidden|not|must|should|is|at|min|minimum|string|str|text|password|here|show|copy|reset|forgot.*|process\\.env.*|os\\.environ.*|<[^<>]*>.*|<[\\p{L}_-]+|<!--.*|\\{\\{.*|нет|да|обязательно|обязателен|необязательно|неверный|слабый|надёжный|надежный|изменён|изменен|скрыт|показать|забыли.*|минимум|не|должен|https?:.*)$',
  ),
  'iu',
);

const LINK = '(?:->|::?|\\.)[a-z_]+\\d*';
const LINKS = `(?:${LINK}|\\[["'$\\w]*\\])*`;

const oneOf = (forms: readonly string[]): RegExp => new RegExp(`^(?:${forms.join('|')})$`, 'i');

/** In doubt a dollar sign before more than a name is one of a password. */
const VARIABLES = ['\\$[({]{1,2}\\s*(?:[a-z_].*)?', `\\$[a-z_]+\\d*${LINKS}(?:${LINK}\\(.*\\)${LINKS}[;,]*|[;,)]*)`];
/**
 * A call or a variable of code. In doubt it is a password: a parenthesis that is not closed after digits. The first
 * call of a chain reaches to the last parenthesis, because calls in the repetition would take exponential time.
 */
const CODE = oneOf([
  '[a-z_][\\w.]*\\((?=[^)]*\\))[\\w\\s.,:;="\'()[\\]{}?$-]*',
  '[a-z_][\\w.]*\\(["\'].*',
  '[a-z_.]+\\([a-z_.,$]*',
  ...VARIABLES,
]);
/** What a shell, a template or an attribute replaces between quotes too; another call there is only text. */
const CODE_IN_QUOTES = oneOf(['[a-z_.]+\\(\\)', ...VARIABLES]);
/** A call whose arguments go on behind the next space. */
const OPEN_CALL = /^(?:[a-z_.]+\(|[a-z_][\w.]*\([^\d])/i;

const isCode = ({ text, goesOn, isQuoted }: Value): boolean =>
  isQuoted ? CODE_IN_QUOTES.test(text) : CODE.test(text) || (goesOn && OPEN_CALL.test(text));

const BETWEEN = foldedText('(?: (?:for|of|to|from|от|для|к|из)(?: [\\p{L}\\p{N}@._-]+){1,3})?');
const BEFORE = '(?<![\\p{L}\\p{N}])';
const SEPARATOR = /["']?[ \t]*(?:[:=]|=>|:=)[ \t]*/y;
/** Of a sentence that tells it. */
const VERB = new RegExp(foldedText('["\']?[ ](?:is|-|это)[ ]'), 'iuy');

const patternOf = ({ pattern }: Label): RegExp =>
  new RegExp(`(?:${BEFORE}|(?<=[_-]))(?:${foldedText(pattern)})(?![\\p{L}\\p{N}])${BETWEEN}`, 'giu');
/** Names of variables in capitals or with underscores, such as DB_PASSWORD_PROD. */
const WITH_TAIL = /(?:_[\p{L}\d]+)*/iuy;

const PATTERNS = LABELS.map((label) => ({ ...label, pattern: patternOf(label) }));

const matchAt = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

interface Value {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** It is followed by another word in its column. */
  readonly goesOn: boolean;
  readonly isQuoted: boolean;
}

/** A single quote or a backtick may be the edge of a field as well: an apostrophe or another column ends nothing. */
const QUOTED = /"[^"]+"|(?<!')'[^'\t]+'(?![\p{L}\p{N}])|(?<!`)`[^`\t]+`/uy;

/** The first word from there, or all between quotes. */
const valueFrom = (text: string, at: number): Value | null => {
  // The edge of a field is read as a sign.
  const from = matchAt(/(?:[|[`'] ?)*/y, text, at);
  const open = from > at && /['`]/.test(text.charAt(from - 1)) ? from - 1 : from;
  const close = matchAt(QUOTED, text, open) - 1;
  if (close > open)
    return { start: open + 1, end: close, text: text.slice(open + 1, close), goesOn: false, isQuoted: true };
  const start = text.charAt(from) === '"' ? from + 1 : from;
  // An underscore before a number is often read as a space.
  const word = /^\S+(?: \d{2,6}(?=["',;]*(?:\t|$)))?/.exec(text.slice(start))?.[0].replace(/[,;"']+$/, '') ?? '';
  if (word === '') return null;
  const end = start + word.length;
  const isQuoted = [start - 1, end].every((at) => /["']/.test(text.charAt(at)));
  return { start, end, text: word, goesOn: /^[,;"']* \S/.test(text.slice(end)), isQuoted };
};

/** Dots of a hidden password, as they are read. */
const isMask = (text: string): boolean =>
  text.length >= 4 && /^[ecoasxф¢©®°*•●·._0@+»-]+$/i.test(text) && new Set(text).size <= 4;

/** A word that begins a sentence is no password. */
const isProse = ({ text, goesOn }: Value): boolean =>
  goesOn ? /^\p{L}+[.,!?]?$/u.test(text) : /^\p{L}+ [\p{L}\p{N}]+ /u.test(text);

const beside = (text: string): readonly SecretPart[] =>
  PATTERNS.flatMap(({ kind, pattern, accepts }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const afterLabel = matchAt(WITH_TAIL, text, match.index + match[0].length);
      const separated = matchAt(SEPARATOR, text, afterLabel);
      const told = separated > afterLabel ? separated : matchAt(VERB, text, afterLabel);
      const isTold = told > afterLabel;
      const gap = matchAt(/["']?\s+/y, text, afterLabel);
      if (!isTold && gap === afterLabel) return [];
      const value = valueFrom(text, isTold ? told : gap);
      if (
        !value ||
        NO_VALUE.test(value.text) ||
        isCode(value) ||
        isMask(value.text) ||
        isProse(value) ||
        !accepts(value.text)
      )
        return [];
      // Without a colon the label may be a part of a sentence.
      if (separated === afterLabel && !isMixed(value.text) && !/^\d{4,8}$/.test(value.text)) return [];
      return [{ kind, start: value.start, end: value.end }];
    }),
  );

/** Of the height of the label: how far below its field is, and how far the text is indented in it. */
const BELOW_MAX = 3.5;
const INDENT_MAX = 3;

const textOf = (row: Row, column: readonly RowPart[]): string =>
  row.text.slice(column[0]?.start ?? 0, column.at(-1)?.end ?? 0);

/** A label alone in its column, with the field below it. */
const inFieldBelow = (rows: readonly Row[], at: number): readonly { row: Row; part: SecretPart }[] => {
  const row = rows[at];
  if (!row) return [];
  return columnsOf(row).flatMap((column) => {
    const label = textOf(row, column).replace(/[\s*:?]+$/, '');
    const [first] = column;
    const known = PATTERNS.find(({ pattern }) => label.match(pattern)?.[0]?.length === label.length);
    if (!first || !known) return [];
    const { x, y, height } = first.word;
    for (const below of rows.slice(at + 1, at + 4))
      for (const field of columnsOf(below)) {
        const [value] = field;
        if (!value || field.length > 2) continue;
        const down = value.word.y - (y + height);
        const indent = value.word.x - x;
        if (down < 0 || down > height * BELOW_MAX || indent < -height || indent > height * INDENT_MAX) continue;
        const text = textOf(below, [value]);
        if (!isMixed(text) || !known.accepts(text) || NO_VALUE.test(text) || CODE.test(text) || isMask(text)) continue;
        return [{ row: below, part: { kind: known.kind, start: value.start, end: value.end } }];
      }
    return [];
  });
};

export const findLabelled = (rows: readonly Row[]): readonly { readonly row: Row; readonly part: SecretPart }[] =>
  rows.flatMap((row, at) => [
    // A whole list first: the other two find its first code.
    ...findCodeLists(rows, at),
    ...beside(row.text).map((part) => ({ row, part })),
    ...inFieldBelow(rows, at),
  ]);

/** The same of a text without places. */
export const findLabelledIn = (text: string): readonly SecretPart[] => beside(text);
