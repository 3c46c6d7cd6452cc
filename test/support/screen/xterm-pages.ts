/** Pages of text in an xterm, made from a seed: colours, long lines, two sizes of type, repetition, and less. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { seededRandom } from '../seeded-random.ts';
import type { WindowPage } from './capture-window.ts';

interface XtermSpec {
  readonly name: string;
  readonly lines: (random: () => number) => readonly string[];
  readonly points?: number;
  readonly options?: readonly string[];
  /** A shell command that shows the file `$1`; by default it stays on the screen. */
  readonly command?: string;
  /** The last line is not the same in both windows. */
  readonly isLastLineOwn?: boolean;
  readonly certainty?: WindowPage['certainty'];
  readonly scrollBar?: number;
}

const [COLUMNS, ROWS, BORDER] = [80, 26, 2];
const CALM_ROWS = 200;
/** Of xterm's default translation. */
const LINES_PER_CLICK = 5;
// Glyphs within their cells: xterm cuts what is beyond when it draws the next cell, and so shows one text in two ways.
const FONT = 'DejaVu Sans Mono:antialias=false';
const ROOMY = 'XTerm*scaleHeight: 1.2';
const STAYS = 'exec sleep infinity';
const LESS = (...options: readonly string[]): string => `exec less --mouse ${options.join(' ')} "$1"`;

const WORDS = 'river stone copper lantern window harbour violin meadow signal winter paper engine garden thunder'.split(
  ' ',
);
const SEEDED_LINES = 120;
const linesOf = (make: (line: number) => string): readonly string[] =>
  Array.from({ length: SEEDED_LINES }, (_, n) => make(n));
const phrase = (random: () => number, count: number): string =>
  Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
const prose = (random: () => number) => linesOf((n) => `${n} ${phrase(random, 3 + Math.floor(random() * 7))}`);
const sgr = (codes: string, text: string): string => `\u001b[${codes}m${text}\u001b[0m`;

const SPECS: readonly XtermSpec[] = [
  {
    name: 'coloured text',
    lines: (random) =>
      linesOf((n) =>
        Array.from({ length: 6 }, () => {
          const style = ['1', '4', '7', '0'][Math.floor(random() * 4)];
          return sgr(`${style};38;5;${Math.floor(random() * 256)}`, phrase(random, 1));
        }).join(` ${n} `),
      ),
  },
  {
    name: 'rows of colour on black',
    options: ['-bg', 'black', '-fg', 'grey90'],
    lines: (random) => linesOf((n) => sgr(`48;5;${16 + Math.floor(random() * 200)}`, `${n}`.padEnd(COLUMNS))),
  },
  {
    name: 'long lines',
    lines: (random) => linesOf((n) => `${n} ${phrase(random, 10 + Math.floor(random() * 20))}`).slice(0, 60),
  },
  { name: 'small type', points: 7, lines: prose },
  { name: 'large type', points: 14, lines: prose },
  {
    name: 'a log whose lines differ in a number',
    lines: () => linesOf((n) => `2026-01-01 00:00 INFO server: the request ${1_000 + n} was answered`),
  },
  {
    name: 'paragraphs and blank lines',
    lines: (random) => linesOf((n) => (n % 9 > 5 && n < SEEDED_LINES - 1 ? '' : phrase(random, 2 + (n % 7)))),
  },
  {
    name: 'a table in Cyrillic',
    lines: (random) =>
      linesOf((n) =>
        n % 2 ? '═════════════════════════' : `строка    ${String(Math.floor(random() * 1e9)).padStart(15)}`,
      ),
  },
  {
    // What goes on through all lines looks as if it floated above them.
    name: 'a table with rules from top to bottom',
    lines: (random) =>
      linesOf((n) =>
        n % 2 ? '├──────────┼─────────────┤' : `│ row      │ ${String(Math.floor(random() * 1e9)).padStart(11)} │`,
      ),
    certainty: 'disturbed',
  },
  { name: 'a scroll bar', lines: prose, options: ['-sb', '-rightbar'], scrollBar: 16, certainty: 'disturbed' },
  { name: 'a cursor that blinks', lines: prose, options: ['-bc'], isLastLineOwn: true },
  {
    name: 'a last line that is written again and again',
    lines: prose,
    options: ['-si'],
    command: `n=0; while :; do n=$((n + 1)); printf '\\r%s' "$n"; sleep 0.05; done`,
    isLastLineOwn: true,
    certainty: 'disturbed',
  },
  { name: 'less with its prompt', lines: prose, command: LESS(`'-Pspress q to leave'`) },
  { name: 'less that tells its lines', lines: prose, command: LESS('-M'), isLastLineOwn: true },
  { name: 'less with line numbers', lines: prose, command: LESS('-N', `'-Pspress q to leave'`) },
  {
    name: 'seven lines again and again',
    lines: (random) => {
      const seven = prose(random).slice(0, 7);
      return linesOf((n) => seven[n % 7] as string);
    },
    certainty: 'ambiguous',
  },
  { name: 'one line again and again', lines: () => linesOf(() => 'y'), certainty: 'ambiguous' },
  {
    name: 'an empty part that is longer than the window',
    lines: (random) => prose(random).map((line, n) => (n > 30 && n < 90 ? '' : line)),
    certainty: 'ambiguous',
  },
  {
    name: 'a command that ends in one line again and again',
    lines: (random) => prose(random).map((line, n) => (n > 60 ? 'done' : line)),
    certainty: 'ambiguous',
  },
];

/** Lines on the screen, without what has no width. */
const heightOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(stripVTControlCharacters(line).length / COLUMNS)), 0);

/** `folder`: for the text of the pages. */
export const xtermPages = (folder: string): readonly WindowPage[] =>
  SPECS.map(({ name, lines: make, points = 10, options = ['+sb'], command = STAYS, ...spec }, seed): WindowPage => {
    const lines = make(seededRandom(seed + 30));
    const file = join(folder, `xterm-${seed}.txt`);
    writeFileSync(file, lines.join('\n'));
    const isPager = command.includes('less');
    const wholeRows = heightOf(lines) + (isPager ? 1 : 0);
    const script = [...(isPager ? [] : ['cat "$1"']), `printf '\\033]0;shown ${seed}\\007'`, command].join('; ');
    return {
      name,
      ...(spec.certainty && { certainty: spec.certainty }),
      ...(spec.scrollBar && { scrollBar: spec.scrollBar }),
      ...(spec.isLastLineOwn && { calmRows: CALM_ROWS }),
      ...(isPager ? {} : { clicksBack: Math.ceil(wholeRows / LINES_PER_CLICK) }),
      program: (whole) => [
        'xterm',
        ...['-geometry', `${COLUMNS}x${whole ? wholeRows : ROWS}+0+0`, '-bw', '0', '-b', `${BORDER}`, '-sl', '1000'],
        ...['-fa', FONT, '-fs', `${points}`, '-xrm', ROOMY, ...options],
        ...['-e', 'sh', '-c', script, 'sh', file],
      ],
      async opened(screen) {
        const wanted = ['search', '--sync', '--onlyvisible', '--name', `^shown ${seed}$`];
        const geometry = String(await screen.run('xdotool', ...wanted, 'getwindowgeometry', '--shell'));
        const [width, height] = ['WIDTH', 'HEIGHT'].map((key) =>
          Number(new RegExp(`${key}=(\\d+)`).exec(geometry)?.[1]),
        );
        if (!width || !height) throw new Error(`xdotool answered ${geometry}`);
        const lastLine = height - BORDER - (height - 2 * BORDER) / wholeRows;
        return { width, height, ...(spec.isLastLineOwn && { moving: [[lastLine, height]] }) };
      },
    };
  });
