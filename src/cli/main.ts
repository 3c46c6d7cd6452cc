/** Runs one command line of this process: reads its words, watches for Ctrl+C, answers the exit code. */
import { homedir } from 'node:os';
import { unreachable } from '../contract/errors.ts';
import { onEndRequest } from '../host/ending.ts';
import { profileFolder, workingFolder } from '../host/profile.ts';
import { type Arguments, HELP, readArguments } from './arguments.ts';
import { createReport, type Report } from './report.ts';
import { resume, type Surroundings, status, upload } from './run.ts';

const EXIT_USAGE = 2;
const EXIT_INTERRUPTED = 130;

const KEY_IN_SIGHT =
  'Others on this computer can read a key on the command line. Set LINKSHOT_KEY in the environment instead.';

const out = (text: string): void => void process.stdout.write(text);
const error = (text: string): void => void process.stderr.write(text);

const perform = async (given: Arguments, surroundings: Surroundings, signal: AbortSignal): Promise<void> => {
  switch (given.command) {
    case 'upload':
      return upload(given, surroundings, signal);
    case 'resume':
      return resume(given, surroundings, signal);
    case 'status':
      return status(given, surroundings, signal);
    case 'help':
      return out(`${HELP}\n`);
    default:
      return unreachable(given.command);
  }
};

/** Keys that this run needs to know: none to look, none from the store when one is given. */
const secretsFor = (given: Arguments) => async () => {
  const { openSecrets, sessionSecrets } = await import('../engine/defaults.ts');
  return given.command === 'status' || given.connection ? sessionSecrets() : openSecrets();
};

export const main = async (): Promise<number> => {
  const read = readArguments(process.argv.slice(2), process.env);
  if (!read.ok) {
    const { output, message } = read.error;
    if (output === 'json') out(`${JSON.stringify({ error: { code: 'COMMAND_INVALID', message } })}\n`);
    else error(`${message}\n`);
    return EXIT_USAGE;
  }
  const given = read.value;
  if (given.keyFrom === 'arguments') error(`${KEY_IN_SIGHT}\n`);

  const interrupt = new AbortController();
  onEndRequest(() => {
    if (interrupt.signal.aborted) process.exit(EXIT_INTERRUPTED);
    interrupt.abort();
  });

  const report: Report = createReport(given.output, { out, error });
  const { platform, env } = process;
  const cwd = workingFolder(process.cwd(), env);
  const surroundings: Surroundings = {
    place: {
      profileDir: profileFolder(given.profile, { platform, environment: env, home: homedir(), cwd }),
      secrets: secretsFor(given),
      log: (line) => error(`${line}\n`),
    },
    cwd,
    report,
    terminal: given.output === 'human' && process.stderr.isTTY ? process.stderr : null,
  };
  await perform(given, surroundings, interrupt.signal);
  return interrupt.signal.aborted ? EXIT_INTERRUPTED : report.exitCode();
};
