/**
 * Runs the command line of a packed app in Electron's own program, without a window, because the package ships no Node.
 */
import { app } from 'electron';
import { createStartVision } from './adapters/start-vision-process.ts';
import { standardInput } from './standard-input.ts';

const SWITCH = '--command-line';

/**
 * The words behind `--command-line ... --`; null: a normal start of the app. The switch counts only as the first word:
 * behind a link from a web page it means nothing.
 */
export const commandLineIn = (args: readonly string[]): readonly string[] | null => {
  if (args[0] !== SWITCH) return null;
  const end = args.indexOf('--');
  return args.slice(end < 0 ? 1 : end + 1);
};

const written = (stream: NodeJS.WriteStream): Promise<void> => new Promise((done) => stream.write('', () => done()));

/** Runs the command line as `linkshot` does, and exits with its exit code. */
export const runCommandLine = async (
  words: readonly string[],
  serverDir: string,
  stdin = standardInput(process.platform),
): Promise<void> => {
  app.dock?.hide();
  const { runInTerminal } = await import('../cli/run-in-terminal.ts');
  const code = await runInTerminal(words, { stdin, startVision: createStartVision(serverDir) });
  // Exiting would truncate pending writes.
  await Promise.all([written(process.stdout), written(process.stderr)]);
  app.exit(code);
};
