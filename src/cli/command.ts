/**
 * What a command of the command line is. Promise: reading the words, the help, the shell completion and the reference
 * page are all made from this one description, so none of them can say what another does not know.
 */
import { err, ok, type Result } from '../api/errors.ts';
import type { CommandContext } from './context.ts';

/** What a shell may offer in the place of a value. */
export type Offers = 'files' | 'folders' | 'nothing';

export interface Option<T> {
  readonly summary: string;
  /** What stands for its value in the help; null: a switch, which has none. */
  readonly value: string | null;
  readonly short?: string;
  /** Every value there is, where there are few. */
  readonly choices?: readonly string[];
  readonly offers?: Offers;
  /** The variable that is read where the option is not given. */
  readonly environment?: string;
  /** Options that cannot be meant together with this one, each with the sentence that says so. */
  readonly clashes?: Readonly<Record<string, string>>;
  /** What is wrong is said as the end of the sentence "--option ...". */
  read(text: string): Result<T, string>;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** What was given; undefined where nothing was. */
export type Values<O extends Options> = {
  readonly [K in keyof O]: (O[K] extends Option<infer T> ? T : never) | undefined;
};

export interface Argument {
  /** In capitals, as the help shows it. */
  readonly name: string;
  readonly summary: string;
  readonly count: 'one' | 'at most one' | 'one or more' | 'any number';
  readonly choices?: readonly string[];
  /** An empty word is a value of its own here; elsewhere it is an unset variable of a script and refused. */
  readonly mayBeEmpty?: true;
  readonly offers?: Offers;
}

interface Example {
  /** What is typed, without the name of the program. */
  readonly words: string;
  readonly does: string;
}

export interface Given<O extends Options = Options> {
  readonly words: readonly string[];
  readonly options: Values<O>;
}

export interface Command<O extends Options = Options> {
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly group: 'Share' | 'Library' | 'Queue' | 'Service' | 'Linkshot itself';
  readonly arguments: readonly Argument[];
  readonly options: O;
  /** Paragraphs; what a person must know before they use it. */
  readonly description: readonly string[];
  /** What each line says with --json. */
  readonly json: readonly string[];
  readonly examples: readonly Example[];
  /** Whether --server and --key are the command's own business; else they are used for the whole run. */
  readonly connects?: 'by itself';
  run(given: Given<O>, context: CommandContext, signal: AbortSignal): Promise<void>;
}

/** Keeps the types of the options for `run`, and forgets them for the table. */
export const command = <const O extends Options>(described: Command<O>): Command => described as unknown as Command;

type More = Pick<Option<unknown>, 'short' | 'offers' | 'environment' | 'clashes'>;

export const flag = (summary: string, more: More = {}): Option<true> => ({
  ...more,
  summary,
  value: null,
  read: () => ok(true),
});

export const text = (value: string, summary: string, more: More = {}): Option<string> => ({
  ...more,
  summary,
  value,
  read: (given) => (given === '' ? err('needs a value') : ok(given)),
});

export const choice = <const T extends string>(
  value: string,
  choices: readonly T[],
  summary: string,
  more: More = {},
): Option<T> => ({
  ...more,
  summary,
  value,
  choices,
  read: (given) => {
    const found = choices.find((one) => one === given);
    return found === undefined ? err(`is one of ${choices.join(', ')}, not "${given}"`) : ok(found);
  },
});

export const parsed = <T>(
  value: string,
  summary: string,
  read: (given: string) => Result<T, string>,
  more: More = {},
): Option<T> => ({ ...more, summary, value, read });
