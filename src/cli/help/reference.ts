/** Generates docs/command-line.md from the table. */
import { usageOf } from '../arguments.ts';
import type { Command, Options } from '../command.ts';
import { EXIT_MEANINGS } from '../exit-codes.ts';
import { GLOBAL_OPTIONS } from '../global-options.ts';
import { argumentSummary, formatOption, groups, optionSummary, synopsisOf } from './help.ts';

/** A bar ends a table cell, even between backticks. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
  rows.length === 0
    ? []
    : [
        `| ${heads.join(' | ')} |`,
        `|${heads.map(() => ' --- |').join('')}`,
        ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
        '',
      ];

const optionTable = (options: Options): readonly string[] =>
  table(
    ['Option', ''],
    Object.entries(options).map(([name, option]) => [`\`${formatOption(name, option)}\``, optionSummary(option)]),
  );

const chapter = (command: Command): readonly string[] => [
  `## linkshot ${command.name}`,
  '',
  `${capital(command.summary)}.`,
  '',
  '```',
  synopsisOf(command),
  '```',
  '',
  ...command.description.flatMap((text) => [text, '']),
  ...table(
    ['Argument', ''],
    command.arguments.map((one) => [`\`${one.name}\``, argumentSummary(one)]),
  ),
  ...optionTable(command.options),
  ...(command.json.length > 0 ? [`With \`--json\`: ${command.json.map(inCode).join(' ')}`, ''] : []),
  '```sh',
  ...command.examples.map(({ words, does }) => `linkshot ${words}   # ${does}`),
  '```',
  '',
];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** Formats JSON shapes and their fields as code. */
const inCode = (text: string): string => text.replace(/\{".*?\}(?=[ ;,.]|$)|"[^"]+"/g, (shape) => `\`${shape}\``);

export const referencePage = (commands: readonly Command[]): string =>
  [
    '# The command line',
    '',
    'Made from the table in `src/cli/commands.ts` by `node scripts/command-line.ts`; a test fails when this page is stale.',
    'From a checkout every command is started as `npm run --silent linkshot -- COMMAND ...`, or as `bin/linkshot COMMAND ...`, which a link',
    'anywhere on the PATH may lead to. It is a shell script: on Linux, where curl is there and Linkshot runs, it hands `capture` over to it',
    'before a Node could have started, with the same answers and exit codes. All else is done by Node.',
    '',
    ...groups(commands).flatMap(([group, members]) => [
      `**${group}**`,
      '',
      ...members.map(
        (one) =>
          `- [\`linkshot ${[one.name, usageOf(one.arguments)].join(' ').trim()}\`](#linkshot-${one.name}) ${one.summary}`,
      ),
      '',
    ]),
    '## Options of every command',
    '',
    ...optionTable(GLOBAL_OPTIONS),
    'A command that finds Linkshot running with the same profile hands its work over to it.',
    '',
    '## Output and exit codes',
    '',
    'Answers go to stdout, everything else to stderr. With `--json` stdout has one JSON object per line and nothing else: for each item',
    'at least `{"id","url"}`, for each failure `{"error":{"code","message"}}`. `id` is what the service calls the item. Fields are only',
    'ever added. Without a terminal, and with `NO_COLOR`, nothing is coloured.',
    '',
    ...table(
      ['Exit code', ''],
      EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
    ),
    ...commands.flatMap(chapter),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
