/** Runs one command line of this process: reads its words, watches for Ctrl+C, answers the exit code. */
import { homedir } from 'node:os';
import { ok } from '../contract/errors.ts';
import { onEndRequest } from '../host/ending.ts';
import { profileFolder, workingFolder } from '../host/profile.ts';
import { type CommandLine, readArguments } from './arguments.ts';
import { COMMANDS } from './commands.ts';
import { openDesk } from './desk/desk.ts';
import { EXIT } from './exit-codes.ts';
import { askSecret } from './input/ask.ts';
import { ASK } from './link-options.ts';
import { createReport } from './output/report.ts';
import { styleFor } from './output/style.ts';
import type { Keys, Surroundings } from './surroundings.ts';

const KEY_IN_SIGHT =
  'Others on this computer can read a key on the command line. Set LINKSHOT_KEY in the environment instead.';

const out = (text: string): void => void process.stdout.write(text);
const error = (text: string): void => void process.stderr.write(text);

/** Keys that this run needs to know: none to look, none from the store when one is given. */
const secretsFor =
  (keys: Keys, { contact }: Pick<Surroundings, 'contact'>) =>
  async () => {
    const { openSecrets, sessionSecrets } = await import('../engine/defaults.ts');
    return keys === 'none' || (keys === 'given' && contact) ? sessionSecrets() : openSecrets();
  };

/** No program that is started from here, such as ffmpeg or a browser, may inherit a secret. */
const withoutSecrets = (): NodeJS.ProcessEnv => {
  for (const name of ['LINKSHOT_KEY', 'LINKSHOT_PASSWORD']) delete process.env[name];
  return process.env;
};

const surroundingsOf = ({ output, profile, server, command }: CommandLine, key: string | undefined): Surroundings => {
  const { platform, stdin, stdout, stderr } = process;
  const env = withoutSecrets();
  const cwd = workingFolder(process.cwd(), env);
  const profileDir = profileFolder(profile, { platform, environment: env, home: homedir(), cwd });
  const contact = server && key && command.connects !== 'by itself' ? { server, key } : null;
  return {
    report: createReport(output, { out, error }, { out: styleFor(stdout, env), error: styleFor(stderr, env) }),
    cwd,
    profileDir,
    environment: env,
    platform,
    errorStream: stderr,
    input: { stream: stdin, isWatched: stdin.isTTY === true },
    terminal: output === 'human' && stderr.isTTY ? stderr : null,
    server,
    key,
    contact,
    openDesk: (keys, signal) =>
      openDesk(
        { profileDir, environment: env, secrets: secretsFor(keys, { contact }), log: (line) => error(`${line}\n`) },
        signal,
      ),
  };
};

export const main = async (): Promise<number> => {
  const read = readArguments(process.argv.slice(2), process.env, COMMANDS);
  if (!read.ok) {
    const { output, message } = read.error;
    if (output === 'json') out(`${JSON.stringify({ error: { code: 'COMMAND_INVALID', message } })}\n`);
    else error(`${message}\n`);
    return EXIT.usage;
  }
  const line = read.value;
  if (line.keyFrom === 'arguments') error(`${KEY_IN_SIGHT}\n`);

  const interrupt = new AbortController();
  onEndRequest(() => {
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
    interrupt.abort();
    process.stdin.destroy();
  });
  const { stdin: stream, stderr: errorStream } = process;
  const input = { stream, isWatched: stream.isTTY === true };
  const key = line.key === ASK ? await askSecret({ input, errorStream }, 'API key', interrupt.signal) : ok(line.key);
  const surroundings = surroundingsOf(line, key.ok ? key.value : undefined);
  if (!key.ok) {
    surroundings.report.failed(null, key.error);
    return EXIT.failed;
  }
  await line.command.run(line.given, surroundings, interrupt.signal);
  return interrupt.signal.aborted ? EXIT.interrupted : surroundings.report.exitCode();
};
