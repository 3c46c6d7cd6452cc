/**
 * Generates the help in the terminal from the descriptions of the commands: an overview, and a page for each command in
 * the style of `man`.
 */
import { usageOf } from '../arguments.ts';
import { type Argument, type Command, GLOBAL_OPTIONS, type Option, type Options } from '../command-definition.ts';
import { EXIT_MEANINGS } from '../exit-codes.ts';
import { columns, type Style, widthOf } from '../output/format.ts';

const INDENT = '  ';
const PAGE_INDENT = '    ';
/** Longer lines are hard to read on any terminal. */
const LINE_CELLS = 88;

/** The commands in their groups, in the order of the table. */
export const groups = (commands: readonly Command[]): readonly (readonly [string, readonly Command[]])[] => [
  ...Map.groupBy(commands, ({ group }) => group),
];

/** -h, --help; --server URL; --fit smaller|sharper. */
export const formatOption = (name: string, { value, short, choices }: Option<unknown>): string =>
  `${short ? `-${short}, ` : ''}--${name}${value === null ? '' : ` ${choices ? choices.join('|') : value}`}`;

export const synopsisOf = ({ name, arguments: wanted, options }: Command): string =>
  ['linkshot', name, usageOf(wanted), Object.keys(options).length > 0 ? '[OPTION...]' : '']
    .filter((word) => word !== '')
    .join(' ');

export const optionSummary = ({ summary, environment }: Option<unknown>): string =>
  environment ? `${summary} (or ${environment})` : summary;

/** The overview lists all commands; longer choices are not repeated. */
const FEW = 10;

export const argumentSummary = ({ summary, choices }: Argument): string =>
  choices && choices.length <= FEW ? `${summary} (${choices.join(', ')})` : summary;

export const overview = (commands: readonly Command[], { bold, dim }: Style): string => {
  const rows = commands.map(({ name, arguments: wanted, summary }) => [
    `${INDENT}${bold(name)} ${dim(usageOf(wanted))}`,
    summary,
  ]);
  const lines = columns(rows);
  const lineOf = new Map(commands.map((command, index) => [command, lines[index] as string]));
  return [
    `${bold('linkshot')}  share a file, a folder of code or a note as a link`,
    ...groups(commands).flatMap(([group, members]) => [
      '',
      bold(group),
      ...members.map((one) => lineOf.get(one) ?? ''),
    ]),
    '',
    bold('Global options'),
    ...columns(optionRows(GLOBAL_OPTIONS, INDENT)),
    '',
    `Run linkshot help COMMAND for details on a command.`,
  ].join('\n');
};

export const page = (command: Command, { bold, dim }: Style): string => {
  const heading = (text: string) => ['', bold(text)];
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [...heading(title), ...lines.map((line) => (line === '' ? '' : PAGE_INDENT + line))];
  const defined = (rows: readonly (readonly [string, string])[]) => {
    const cells = Math.min(30, Math.max(0, ...rows.map(([term]) => widthOf(term))) + 2);
    return rows.flatMap(([term, text]) => {
      const [first = '', ...more] = wrapped(text, LINE_CELLS - cells);
      const begin =
        widthOf(term) < cells
          ? [bold(term) + ' '.repeat(cells - widthOf(term)) + first]
          : [bold(term), ' '.repeat(cells) + first];
      return [...begin, ...more.map((line) => ' '.repeat(cells) + line)];
    });
  };
  const options = (known: Options) =>
    defined(
      Object.entries(known).map(([name, option]) => [formatOption(name, option), optionSummary(option)] as const),
    );
  return [
    bold('Name'),
    `${PAGE_INDENT}linkshot ${command.name} - ${command.summary}`,
    ...section('Use', [synopsisOf(command)]),
    ...section('Arguments', defined(command.arguments.map((one) => [one.name, argumentSummary(one)] as const))),
    ...section(
      'Description',
      command.description.flatMap((text, index) => [...(index > 0 ? [''] : []), ...wrapped(text, LINE_CELLS)]),
    ),
    ...section('Options', options(command.options)),
    ...section('Global options', options(GLOBAL_OPTIONS)),
    ...section(
      'With --json',
      command.json.flatMap((text) => wrapped(text, LINE_CELLS)),
    ),
    ...section('Exit codes', defined(EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning] as const))),
    ...section(
      'Examples',
      command.examples.flatMap(({ words, does }, index) => [
        ...(index > 0 ? [''] : []),
        dim(`# ${does}`),
        `linkshot ${words}`,
      ]),
    ),
  ].join('\n');
};

const optionRows = (options: Options, indent: string): string[][] =>
  Object.entries(options).map(([name, option]) => [indent + formatOption(name, option), optionSummary(option)]);

/** Words in lines of at most `cells`; long JSON shapes break after commas. */
const wrapped = (text: string, cells: number): readonly string[] => {
  const lines = [''];
  for (const word of text.split(' ')) {
    for (const [index, piece] of (widthOf(word) > cells ? word.split(/(?<=,)/) : [word]).entries()) {
      const last = lines.at(-1) as string;
      const joined = last === '' || index > 0 ? last + piece : `${last} ${piece}`;
      if (last !== '' && widthOf(joined) > cells) lines.push(piece);
      else lines[lines.length - 1] = joined;
    }
  }
  return lines;
};
