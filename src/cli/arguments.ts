/** The command line as data. Everything a person can mistype is answered with a sentence. */
import { parseArgs } from 'node:util';
import { err, ok, type Result } from '../contract/errors.ts';

const COMMAND_NAMES = ['upload', 'status', 'resume'] as const;
type CommandWord = (typeof COMMAND_NAMES)[number];

export interface Arguments {
  readonly command: CommandWord | 'help';
  readonly files: readonly string[];
  readonly output: 'human' | 'json';
  readonly profile: string | undefined;
  /** Given together or not at all; null: the profile's own connection. */
  readonly connection: { readonly server: string; readonly key: string } | null;
  /** The key stood on the command line, where other users of the machine can read it. */
  readonly keyFrom: 'arguments' | 'environment' | 'nowhere';
}

/** A command line that cannot be run, as a sentence. */
export interface UsageError {
  readonly output: Arguments['output'];
  readonly message: string;
}

export const HELP = `linkshot upload FILE...   upload files and print their links
linkshot status           list what is in the queue
linkshot resume           finish what was interrupted

  --json           one JSON object per line
  --server URL     the service to use for this run; or LINKSHOT_SERVER
  --key KEY        its API key for this run; better LINKSHOT_KEY in the environment
  --profile DIR    the folder of the queue; or LINKSHOT_PROFILE
  --help           this text`;

const OPTIONS = {
  json: { type: 'boolean' },
  profile: { type: 'string' },
  server: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const isCommand = (word: string): word is CommandWord => (COMMAND_NAMES as readonly string[]).includes(word);

type Environment = Readonly<Record<string, string | undefined>>;

export const readArguments = (words: readonly string[], environment: Environment): Result<Arguments, UsageError> => {
  const output = words.includes('--json') ? 'json' : 'human';
  const wrong = (message: string) => err({ output, message } as const);
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(words);
  } catch (error) {
    return wrong(`${(error as Error).message.split('. ')[0]}. See linkshot --help.`);
  }
  const { values, positionals } = parsed;
  const [command, ...files] = positionals;
  const given = { files, output, profile: values.profile } as const;
  if (values.help || command === 'help') return ok({ ...given, command: 'help', connection: null, keyFrom: 'nowhere' });
  const known = COMMAND_NAMES.join(', ');
  if (command === undefined) return wrong(`Say what to do: ${known}. See linkshot --help.`);
  if (!isCommand(command)) return wrong(`There is no command "${command}". There are: ${known}.`);
  if (command === 'upload' && files.length === 0) return wrong('Name at least one file: linkshot upload FILE...');
  if (command !== 'upload' && files.length > 0) return wrong(`linkshot ${command} takes no file.`);

  const server = values.server ?? environment['LINKSHOT_SERVER'];
  const key = values.key ?? environment['LINKSHOT_KEY'];
  if (values.server !== undefined && !key) return wrong('--server needs a key: set LINKSHOT_KEY in the environment.');
  if (values.key !== undefined && !server) return wrong('--key needs the address of the service: add --server URL.');
  return ok({
    ...given,
    command,
    connection: server && key ? { server, key } : null,
    keyFrom: values.key !== undefined ? 'arguments' : key ? 'environment' : 'nowhere',
  });
};

const parse = (words: readonly string[]) => parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
