/** The command line of a packed app, which has no Node beside it: its own program carries a line out, without a window. */
import { app } from 'electron';

const SWITCH = '--command-line';

/**
 * The words behind `--command-line ... --`; null: this start is that of the app. The switch counts only as the first word: behind
 * a link that a page has made up it means nothing.
 */
export const commandLineIn = (args: readonly string[]): readonly string[] | null => {
  if (args[0] !== SWITCH) return null;
  const end = args.indexOf('--');
  return args.slice(end < 0 ? 1 : end + 1);
};

const written = (stream: NodeJS.WriteStream): Promise<void> => new Promise((done) => stream.write('', () => done()));

/** Carries the line out as `linkshot` does, and ends the process with its exit code. */
export const runCommandLine = async (words: readonly string[]): Promise<void> => {
  app.dock?.hide();
  const { main } = await import('../cli/main.ts');
  const code = await main(words);
  // Where writing waits, an exit would cut it off.
  await Promise.all([written(process.stdout), written(process.stderr)]);
  app.exit(code);
};
