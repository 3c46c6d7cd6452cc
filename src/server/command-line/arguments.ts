/**
 * Parses the arguments of the server's command line into a command, and holds the usage text. Throws a `UsageError` for
 * arguments that are not valid.
 */
import { parseArgs } from 'node:util';
import { SCOPES, type Scope } from '../../api/account.ts';
import { MODERATION_HOLDS, type ModerationHold } from '../../api/content.ts';
import { messageOf } from '../../base/common/error-text.ts';
import { readInstant } from '../../base/common/read-instant.ts';
import { PLAN_CODES, type PlanCode } from '../accounts/accounts.ts';
import { NODE_ROLES, type NodeRole } from '../config/config.ts';

export type Command = { readonly name: 'help' } | Move | OnRecords;

interface Move {
  readonly name: 'move';
  /** The data folder. */
  readonly from: string;
  readonly config: string | null;
  readonly skipDamaged: boolean;
}

/** `config` is the path of the configuration file. */
type OnRecords = { readonly data: string; readonly config: string | null } & (
  | { readonly name: 'doctor' | 'keys rotate' }
  | { readonly name: 'objects check'; readonly deleteOrphans: boolean }
  | {
      readonly name: 'serve';
      readonly host: string;
      readonly port: number;
      /** Null: as configured. */
      readonly role: NodeRole | null;
    }
  | {
      readonly name: 'account add';
      readonly username: string;
      readonly plan: PlanCode;
      readonly password: string | null;
    }
  | {
      readonly name: 'account plan';
      readonly username: string;
      readonly plan: PlanCode;
      /** Milliseconds since 1970-01-01 UTC; null: without an end. */
      readonly until: number | null;
    }
  | { readonly name: 'account password'; readonly username: string; readonly password: string }
  | { readonly name: 'account ban' | 'account unban'; readonly username: string }
  | {
      readonly name: 'key add';
      readonly username: string;
      readonly scopes: readonly Scope[];
      /** Milliseconds since 1970-01-01 UTC. */
      readonly expiresAt: number | null;
      readonly keyName: string | null;
    }
  | { readonly name: 'key revoke'; readonly id: string }
  | { readonly name: 'content hold'; readonly id: string; readonly hold: ModerationHold | null }
);

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const USAGE = `Usage:
  doctor --data DIR [--config FILE]
  serve --data DIR [--port 8080] [--host 127.0.0.1] [--role ${NODE_ROLES.join('|')}] [--config FILE]
  account add NAME --plan ${PLAN_CODES.join('|')} [--password PASSWORD] --data DIR
  account plan NAME ${PLAN_CODES.join('|')} [--until TIME] --data DIR
  account password NAME --password PASSWORD --data DIR
  account ban NAME --data DIR
  account unban NAME --data DIR
  key add --account NAME --scopes ${SCOPES.join(',')} [--expires TIME] [--name NAME] --data DIR
  key revoke ID --data DIR
  keys rotate --data DIR [--config FILE]
  objects check --data DIR [--config FILE] [--delete-orphans]
  move --from DIR [--config FILE] [--skip-damaged]
  content hold ID ${MODERATION_HOLDS.join('|')}|none --data DIR
All commands take --config FILE.`;

const OPTIONS = {
  data: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  role: { type: 'string' },
  config: { type: 'string' },
  plan: { type: 'string' },
  password: { type: 'string' },
  until: { type: 'string' },
  account: { type: 'string' },
  scopes: { type: 'string' },
  expires: { type: 'string' },
  name: { type: 'string' },
  from: { type: 'string' },
  'delete-orphans': { type: 'boolean' },
  'skip-damaged': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type OptionName = Exclude<keyof typeof OPTIONS, 'help'>;
type TextOption = Exclude<OptionName, 'delete-orphans' | 'skip-damaged'>;

interface Shape {
  /** Names of the arguments that follow the command. */
  readonly arguments: readonly string[];
  readonly options: readonly OptionName[];
  /** It has no --data. */
  readonly isWithoutData?: true;
}

const SHAPES: Readonly<Record<Exclude<Command['name'], 'help'>, Shape>> = {
  doctor: { arguments: [], options: [] },
  serve: { arguments: [], options: ['host', 'port', 'role'] },
  'account add': { arguments: ['NAME'], options: ['plan', 'password'] },
  'account plan': { arguments: ['NAME', 'PLAN'], options: ['until'] },
  'account password': { arguments: ['NAME'], options: ['password'] },
  'account ban': { arguments: ['NAME'], options: [] },
  'account unban': { arguments: ['NAME'], options: [] },
  'key add': { arguments: [], options: ['account', 'scopes', 'expires', 'name'] },
  'key revoke': { arguments: ['ID'], options: [] },
  'keys rotate': { arguments: [], options: [] },
  'objects check': { arguments: [], options: ['delete-orphans'] },
  move: { arguments: [], options: ['from', 'skip-damaged'], isWithoutData: true },
  'content hold': { arguments: ['ID', 'HOLD'], options: [] },
};

/** Every command has them, unless its shape says otherwise. */
const COMMON: readonly OptionName[] = ['data', 'config'];

const DEFAULT_PORT = '8080';
const DEFAULT_HOST = '127.0.0.1';

/** `args` without the program's own name. Throws `UsageError`. */
export const parseCommand = (args: readonly string[]): Command => {
  const { values, positionals } = parse(args);
  if (values.help === true || positionals[0] === 'help') return { name: 'help' };
  const name = commandName(positionals);
  const shape = SHAPES[name];
  const given = positionals.slice(name.split(' ').length);
  const missing = shape.arguments[given.length];
  if (missing !== undefined) throw new UsageError(`"${name}" needs ${missing}.\n${USAGE}`);
  const extra = given[shape.arguments.length];
  if (extra !== undefined) throw new UsageError(`"${name}" does not take "${extra}".`);
  const everywhere = shape.isWithoutData === true ? COMMON.filter((option) => option !== 'data') : COMMON;
  const foreign = Object.keys(values).find(
    (option) => ![...everywhere, ...shape.options].some((known) => known === option),
  );
  if (foreign !== undefined) throw new UsageError(`"${name}" does not take --${foreign}.`);

  // A variable of the shell that is not set must not mean a default, or all addresses.
  const [empty] = Object.entries(values).find(([, value]) => value === '') ?? [];
  if (empty !== undefined) throw new UsageError(`--${empty} has no value.`);

  const needed = (option: TextOption): string => {
    const value = values[option];
    if (value === undefined) throw new UsageError(`"${name}" needs --${option}.\n${USAGE}`);
    return value;
  };
  const config = values.config ?? null;
  if (name === 'move') return { name, from: needed('from'), config, skipDamaged: values['skip-damaged'] ?? false };
  const common = { data: needed('data'), config };
  const [first = '', second = ''] = given;
  switch (name) {
    case 'doctor':
    case 'keys rotate':
      return { name, ...common };
    case 'objects check':
      return { name, ...common, deleteOrphans: values['delete-orphans'] ?? false };
    case 'serve':
      return {
        name,
        ...common,
        host: values.host ?? DEFAULT_HOST,
        port: portOf(values.port ?? DEFAULT_PORT),
        role: values.role === undefined ? null : oneOf(NODE_ROLES, values.role, '--role'),
      };
    case 'account add':
      return {
        name,
        ...common,
        username: first,
        plan: planOf(needed('plan'), '--plan'),
        password: values.password ?? null,
      };
    case 'account plan': {
      const until = values.until === undefined ? null : timeOf(values.until, '--until');
      return { name, ...common, username: first, plan: planOf(second, 'PLAN'), until };
    }
    case 'account password':
      return { name, ...common, username: first, password: needed('password') };
    case 'account ban':
    case 'account unban':
      return { name, ...common, username: first };
    case 'key add':
      return {
        name,
        ...common,
        username: needed('account'),
        scopes: scopesOf(needed('scopes')),
        expiresAt: values.expires === undefined ? null : timeOf(values.expires, '--expires'),
        keyName: values.name ?? null,
      };
    case 'key revoke':
      return { name, ...common, id: first };
    case 'content hold':
      return { name, ...common, id: first, hold: holdOf(second) };
  }
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(`${messageOf(error)}\n${USAGE}`);
  }
};

const commandName = (positionals: readonly string[]): keyof typeof SHAPES => {
  const names = Object.keys(SHAPES) as (keyof typeof SHAPES)[];
  const found = names.find((name) => name.split(' ').every((word, at) => positionals[at] === word));
  if (found !== undefined) return found;
  const problem = positionals.length === 0 ? 'No command was given' : `Unknown command "${positionals.join(' ')}"`;
  throw new UsageError(`${problem}.\n${USAGE}`);
};

const portOf = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new UsageError('--port must be a number from 0 to 65535.');
  return port;
};

const oneOf = <T extends string>(values: readonly T[], text: string, what: string): T => {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new UsageError(`${what} must be one of ${values.join(', ')}.`);
  return found;
};

const planOf = (text: string, what: string): PlanCode => oneOf(PLAN_CODES, text, what);

const scopesOf = (text: string): readonly Scope[] => [
  ...new Set(text.split(',').map((scope) => oneOf(SCOPES, scope.trim(), '--scopes'))),
];

const timeOf = (text: string, option: string): number => {
  const time = readInstant(text);
  if (time === null) throw new UsageError(`${option} must be an ISO time like 2027-01-31T12:00:00Z.`);
  return time.getTime();
};

const holdOf = (text: string): ModerationHold | null =>
  text === 'none' ? null : oneOf([...MODERATION_HOLDS, 'none' as never], text, 'HOLD');
