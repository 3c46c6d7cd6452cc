/** Runs one line of the server's command line. Every error becomes a sentence for the operator and an exit code. */
import { parseCommand, UsageError } from './arguments.ts';
import { runCommand, type Terminal } from './commands.ts';

/** Returns the exit code; for a long-running command such as `serve`, once it is ready. */
export const runLine = async (words: readonly string[], terminal: Terminal): Promise<number> => {
  try {
    await runCommand(parseCommand(words), terminal);
    return 0;
  } catch (error) {
    terminal.log(error instanceof Error ? error.message : String(error));
    return error instanceof UsageError ? 2 : 1;
  }
};
