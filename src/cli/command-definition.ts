/**
 * Types and builders for the description of a command: its arguments, options, help texts and action. Argument parsing,
 * help, shell completion and the reference page are all generated from it, so they always agree. Also the options that
 * every command takes.
 */
import { err, ok, type Result } from '../api/errors.ts';
import type { CommandContext } from './command-context.ts';

/** What a shell may offer as a value. */
export type Offers = 'files' | 'folders' | 'nothing';

export interface Option<T> {
  readonly summary: string;
  /** The placeholder of its value in the help; null: a switch without a value. */
  readonly value: string | null;
  /** What it means without its value; absent: the value is required. */
  readonly withoutValue?: T;
  readonly short?: string;
  /** All possible values, if there are few. */
  readonly choices?: readonly string[];
  readonly offers?: Offers;
  /** The environment variable that is read when the option is not given. */
  readonly environment?: string;
  /** Options that exclude this one, each with the sentence that says so. */
  readonly clashes?: Readonly<Record<string, string>>;
  /** An error completes the sentence "--option ...". */
  read(text: string): Result<T, string>;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** The given value; undefined if not given. */
export type Values<O extends Options> = {
  readonly [K in keyof O]: (O[K] extends Option<infer T> ? T : never) | undefined;
};

export interface Argument {
  /** In capitals, as the help shows it. */
  readonly name: string;
  readonly summary: string;
  readonly count: 'one' | 'at most one' | 'one or more' | 'any number';
  readonly choices?: readonly string[];
  /** An empty word is a valid value here; elsewhere it is an unset variable of a script and refused. */
  readonly mayBeEmpty?: true;
  /** It names the service that a key is stored for, in place of --server. */
  readonly isServer?: true;
  readonly offers?: Offers;
}

interface Example {
  /** The words to type, without the name of the program. */
  readonly words: string;
  readonly does: string;
}

export interface Given<O extends Options = Options> {
  readonly words: readonly string[];
  readonly options: Values<O>;
  /** The options of the command line itself; the others are from the environment. */
  readonly typed: ReadonlySet<string>;
}

export interface Command<O extends Options = Options> {
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly group: 'Share' | 'Library' | 'Queue' | 'Service' | 'Linkshot itself';
  readonly arguments: readonly Argument[];
  readonly options: O;
  /** Paragraphs; what a user must know first. */
  readonly description: readonly string[];
  /** The content of each line with --json. */
  readonly json: readonly string[];
  readonly examples: readonly Example[];
  /** Whether --server and --key are handled by the command; else they apply to the whole run. */
  readonly connects?: 'by itself';
  run(given: Given<O>, context: CommandContext, signal: AbortSignal): Promise<void>;
}

/** Keeps the types of the options for `run`, and erases them for the table. */
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

/** `--name` alone means `withoutValue`. */
export const optional = <T>(
  value: string,
  summary: string,
  { withoutValue, read }: Required<Pick<Option<T>, 'withoutValue' | 'read'>>,
): Option<T> => ({ summary, value: `[${value}]`, withoutValue, read });

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
    return found === undefined ? err(`must be one of ${choices.join(', ')}, not "${given}"`) : ok(found);
  },
});

export const parsed = <T>(
  value: string,
  summary: string,
  read: (given: string) => Result<T, string>,
  more: More = {},
): Option<T> => ({ ...more, summary, value, read });

/** The options that every command takes. */
export const GLOBAL_OPTIONS = {
  json: flag('one JSON object per line on stdout'),
  server: text('URL', 'the service to use for this run', { environment: 'LINKSHOT_SERVER' }),
  key: text('KEY', 'its API key; prefer the variable, or `-` to be prompted', {
    environment: 'LINKSHOT_KEY',
  }),
  profile: text('DIR', 'the folder of the queue, the library and the settings', {
    environment: 'LINKSHOT_PROFILE',
    offers: 'folders',
  }),
  help: flag('show help for the command', { short: 'h' }),
  version: flag('print the version of Linkshot'),
} as const;
