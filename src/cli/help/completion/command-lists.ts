/** The table of commands as plain lists, shared by the completion of every shell. */
import type { Argument, Command, Offers, Option } from '../../command.ts';
import { GLOBAL_OPTIONS } from '../../global-options.ts';

export interface OptionInfo {
  /** With its dashes. */
  readonly word: string;
  readonly short: string | undefined;
  readonly summary: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly offers: Offers;
}

const optionInfo = ([name, option]: readonly [string, Option<unknown>]): OptionInfo => ({
  word: `--${name}`,
  short: option.short && `-${option.short}`,
  summary: option.summary,
  takesValue: option.value !== null,
  choices: option.choices ?? [],
  offers: option.offers ?? 'nothing',
});

export const globalOptionInfos = (): readonly OptionInfo[] => Object.entries(GLOBAL_OPTIONS).map(optionInfo);

export const factsOf = (command: Command): readonly OptionInfo[] => Object.entries(command.options).map(optionInfo);

/** Options with a value, of all commands, without duplicates. */
export const valueOptions = (commands: readonly Command[]): readonly OptionInfo[] => [
  ...new Map(
    [...globalOptionInfos(), ...commands.flatMap(factsOf)]
      .filter(({ takesValue }) => takesValue)
      .map((facts) => [facts.word, facts] as const),
  ).values(),
];

/** Choices of the first argument; only first arguments have a fixed choice. */
export const firstChoices = ({ arguments: wanted }: Command): readonly string[] => wanted[0]?.choices ?? [];

export const argumentOffers = ({ arguments: wanted }: Command): Offers =>
  wanted.find((argument: Argument) => argument.offers !== undefined)?.offers ?? 'nothing';

/** Quoted for POSIX-like shells; an apostrophe is written outside of the quotes. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
