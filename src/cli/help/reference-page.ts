/** Generates docs/command-line.md from the descriptions of the commands. */
import { usageOf } from '../arguments.ts';
import { type Command, GLOBAL_OPTIONS, type Options } from '../command-definition.ts';
import { EXIT_MEANINGS } from '../exit-codes.ts';
import { argumentSummary, formatOption, groups, optionSummary, synopsisOf } from './help-pages.ts';

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
    'Generated from `src/cli/commands.ts` by `node scripts/docs/command-line.ts`; a test fails when this page is outdated.',
    'In a checkout, run a command with `npm run --silent linkshot -- COMMAND ...`, or with `bin/linkshot COMMAND ...`, to which a symbolic link',
    'on the PATH may point. It is a shell script: on Linux, if curl is installed and Linkshot is running, it delegates `capture` to it',
    'faster than Node starts, with the same output and exit codes. Everything else runs in Node.',
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
    '## Global options',
    '',
    ...optionTable(GLOBAL_OPTIONS),
    'If Linkshot is running with the same profile, a command delegates its work to it.',
    '',
    '## Output and exit codes',
    '',
    'Results go to stdout, everything else to stderr. With `--json` stdout has only one JSON object per line: for each item',
    'at least `{"id","url"}`, for each error `{"error":{"code","message"}}`. `id` is the id of the item at the service. Fields are only',
    'ever added. Without a terminal, and with `NO_COLOR`, the output has no colours.',
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
