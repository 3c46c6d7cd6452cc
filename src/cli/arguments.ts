/**
 * Parses a command line by the table of commands, with environment variables for options that are not given. Every
 * usage error becomes a sentence for the user.
 */
import { parseArgs } from 'node:util';
import { err, ok, type Result, unreachable } from '../api/errors.ts';
import {
  type Argument,
  type Command,
  type Given,
  GLOBAL_OPTIONS,
  type Option,
  type Options,
  type Values,
} from './command-definition.ts';
import { didYouMean } from './did-you-mean.ts';
import { keyIsForAnother } from './key-of-environment.ts';
import { ASK } from './link-options.ts';

export interface CommandLine {
  readonly command: Command;
  readonly given: Given;
  readonly output: 'human' | 'json';
  readonly profile: string | undefined;
  readonly server: string | undefined;
  readonly key: string | undefined;
  /** `arguments`: where other users of the machine can read it. `nowhere`: none was given, or it is prompted for. */
  readonly keyFrom: 'arguments' | 'environment' | 'nowhere';
}

/** A command line that cannot be run, as a sentence. */
export interface UsageError {
  readonly output: CommandLine['output'];
  readonly message: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const readArguments = (
  words: readonly string[],
  environment: Environment,
  commands: readonly Command[],
): Result<CommandLine, UsageError> => {
  const output = beforeTheEnd(words).includes('--json') ? 'json' : 'human';
  const wrong = (message: string) => err({ output, message } as const);
  const byName = (name: string) => commands.find((one) => one.name === name);

  const parse = parsed(words, commands);
  if (!parse.ok) return wrong(parse.error);
  const { values, positionals } = parse.value;
  const [word, ...rest] = positionals;
  const named = values['version'] ? 'version' : word;
  if (named === undefined && !values['help'])
    return wrong('No command given. Usage: linkshot upload FILE... See linkshot help.');
  const command = values['help'] ? byName('help') : byName(named as string);
  if (!command) return wrong(unknownCommand(named as string, commands));

  const isHelp = values['help'] === true;
  const given = isHelp ? positionals.slice(0, 1) : rest;
  if (!isHelp) {
    const strange = Object.keys(values).find((name) => !(name in GLOBAL_OPTIONS) && !(name in command.options));
    if (strange)
      return wrong(`linkshot ${command.name} does not take --${strange}. See linkshot help ${command.name}.`);
  }
  const misplaced = wrongArguments(command, given);
  if (misplaced) return wrong(misplaced);
  const options = readOptions(isHelp ? {} : command.options, values, environment);
  if (!options.ok) return wrong(options.error);
  const clash = clashOf(options.value, command.options);
  if (clash) return wrong(clash);

  // An unset variable of a script must not select the user's default profile or service.
  const empty = Object.keys(GLOBAL_OPTIONS).find((name) => values[name] === '');
  if (empty) return wrong(`--${empty} needs a value. See linkshot --help.`);

  const text = (name: string) => values[name] as string | undefined;
  const server = text('server') ?? (environment['LINKSHOT_SERVER'] || undefined);
  const key = (text('key') ?? environment['LINKSHOT_KEY'])?.trim() || undefined;
  // Such a key cannot be sent in a header: it was copied with something else, or is not a key.
  if (key && !/^[\x21-\x7e]+$/.test(key))
    return wrong('The API key contains invalid characters. Copy it again, and set LINKSHOT_KEY.');
  const storesFor = command.arguments[0]?.isServer && !isHelp ? (given[0] ?? server) : undefined;
  const elsewhere = storesFor && text('key') === undefined ? keyIsForAnother(storesFor, environment) : null;
  if (elsewhere) return wrong(`${elsewhere} Or be prompted for a key: --key -.`);
  if (command.connects !== 'by itself' && !isHelp) {
    if (text('server') !== undefined && !key)
      return wrong('--server needs a key: set LINKSHOT_KEY in the environment.');
    if (text('key') !== undefined && !server) return wrong('--key needs the address of the service: add --server URL.');
  }
  return ok({
    command,
    given: { words: given, options: options.value, typed: new Set(Object.keys(values)) },
    output,
    profile: text('profile'),
    server,
    key,
    keyFrom: keyFrom(text('key'), key),
  });
};

const keyFrom = (typed: string | undefined, key: string | undefined): CommandLine['keyFrom'] => {
  if (typed === undefined) return key ? 'environment' : 'nowhere';
  return typed === ASK ? 'nowhere' : 'arguments';
};

interface Parsed {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

/** Options may precede the command, so the options of all commands are known here. */
const parsed = (words: readonly string[], commands: readonly Command[]): Result<Parsed, string> => {
  const known: Options = Object.assign({}, ...commands.map(({ options }) => options), GLOBAL_OPTIONS);
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value, short }]) => [
      name,
      { type: value === null ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
    ]),
  );
  try {
    const { rest, bare } = takeBare(words, known);
    const { values, positionals } = parseArgs({ args: withNegatives(rest, known), options, allowPositionals: true });
    return ok({ values: { ...(values as Parsed['values']), ...bare }, positionals });
  } catch (error) {
    return err(`${mistyped(error as NodeJS.ErrnoException, known)} See linkshot --help.`);
  }
};

/** After `--` every word is an argument. */
const beforeTheEnd = (words: readonly string[]): readonly string[] => {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
};

/** Separates the options that are given without their optional value: the next word is another option, or none. */
const takeBare = (words: readonly string[], known: Options): { rest: string[]; bare: Record<string, true> } => {
  const bare: Record<string, true> = {};
  const before = beforeTheEnd(words);
  const others = before.filter((word, index) => {
    const name = word.startsWith('--') ? word.slice(2) : '';
    const next = before[index + 1];
    if (known[name]?.withoutValue === undefined || (next !== undefined && !next.startsWith('-'))) return true;
    bare[name] = true;
    return false;
  });
  return { rest: [...others, ...words.slice(before.length)], bare };
};

/** A negative number is a value, not an option: `--region -1920,0,800,600`. */
const withNegatives = (words: readonly string[], known: Options): string[] => {
  const joined: string[] = [];
  const before = beforeTheEnd(words);
  for (const word of before) {
    const last = joined.at(-1);
    const option = last?.startsWith('--') ? known[last.slice(2)] : undefined;
    if (last !== undefined && option && option.value !== null && /^-\d/.test(word))
      joined.push(`${joined.pop()}=${word}`);
    else joined.push(word);
  }
  return [...joined, ...words.slice(before.length)];
};

const mistyped = ({ code, message }: NodeJS.ErrnoException, known: Options): string => {
  const name = /--([^'\s=]+)/.exec(message)?.[1];
  const option = name === undefined ? undefined : known[name];
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' && option) {
    if (option.value === null) return `--${name} takes no value.`;
    const dashed = message.includes('ambiguous') ? ` Write a value that starts with a dash as --${name}=-...` : '';
    return `--${name} needs a value.${dashed}`;
  }
  const near = name === undefined ? null : didYouMean(name, Object.keys(known));
  return `${message.split(/[.\n]/)[0]}.${near ? ` Did you mean --${near}?` : ''}`;
};

/** Why these options exclude each other; undefined: they do not. */
const clashOf = (given: Values<Options>, known: Options): string | undefined => {
  const isGiven = (name: string): boolean => given[name] !== undefined;
  const clashes = Object.keys(known)
    .filter(isGiven)
    .flatMap((name) => Object.entries(known[name]?.clashes ?? {}));
  return clashes.find(([other]) => isGiven(other))?.[1];
};

const unknownCommand = (word: string, commands: readonly Command[]): string => {
  const names = commands.map(({ name }) => name);
  return `Unknown command "${word}". ${meantOf(word, names)}`;
};

const meantOf = (word: string, known: readonly string[]): string => {
  const near = didYouMean(word, known);
  return near ? `Did you mean ${near}?` : `Available: ${known.join(', ')}.`;
};

const AT_LEAST: Readonly<Record<Argument['count'], number>> = {
  one: 1,
  'one or more': 1,
  'at most one': 0,
  'any number': 0,
};

const wrongArguments = ({ name, arguments: wanted }: Command, given: readonly string[]): string | null => {
  const see = `See linkshot help ${name}.`;
  if (wanted.length === 0) return given.length === 0 ? null : `linkshot ${name} takes no arguments. ${see}`;
  for (const [index, argument] of wanted.entries()) {
    const many = argument.count === 'one or more' || argument.count === 'any number';
    const values = many ? given.slice(index) : given.slice(index, index + 1);
    if (values.length < AT_LEAST[argument.count])
      return `Missing ${argument.name.toLowerCase()}. Usage: linkshot ${name} ${usageOf(wanted)}`;
    // An empty word comes from an unset variable of a script, and must not match the working folder or any item.
    if (!argument.mayBeEmpty && values.includes(''))
      return `The ${argument.name.toLowerCase()} must not be empty. Usage: linkshot ${name} ${usageOf(wanted)}`;
    const strange = argument.choices && values.find((word) => !argument.choices?.includes(word));
    if (strange !== undefined) {
      return `Unknown argument "${strange}" of linkshot ${name}. ${meantOf(strange, argument.choices ?? [])}`;
    }
    if (many) return null;
  }
  const extra = given[wanted.length];
  return extra === undefined ? null : `Unexpected argument "${extra}" of linkshot ${name}. ${see}`;
};

/** The arguments in usage notation: FILE..., [ID]... */
export const usageOf = (wanted: readonly Argument[]): string => wanted.map(formatArgument).join(' ');

const formatArgument = ({ name, count }: Argument): string => {
  switch (count) {
    case 'one':
      return name;
    case 'at most one':
      return `[${name}]`;
    case 'one or more':
      return `${name}...`;
    case 'any number':
      return `[${name}...]`;
    default:
      return unreachable(count);
  }
};

const readOptions = (
  known: Options,
  values: Parsed['values'],
  environment: Environment,
): Result<Record<string, unknown>, string> => {
  const read: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(known)) {
    if (values[name] === true && option.withoutValue !== undefined) {
      read[name] = option.withoutValue;
      continue;
    }
    const from = source(name, option, values, environment);
    if (!from) continue;
    const value = option.read(from.text);
    if (!value.ok) return err(`${from.called} ${value.error}.`);
    read[name] = value.value;
  }
  return ok(read);
};

const source = (
  name: string,
  { environment: variable }: Option<unknown>,
  values: Parsed['values'],
  environment: Environment,
): { readonly called: string; readonly text: string } | null => {
  const value = values[name];
  if (value !== undefined) return { called: `--${name}`, text: String(value) };
  const fromEnvironment = variable && environment[variable];
  return fromEnvironment ? { called: variable, text: fromEnvironment } : null;
};
