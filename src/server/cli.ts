/** The server's command line (decisions 9): one line of JSON on stdout, diagnostics on stderr, exit code 2 for a wrong command. */
import { parseCommand, UsageError } from './command-line/arguments.ts';
import { runCommand } from './command-line/commands.ts';

const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const log = (line: string): void => void process.stderr.write(`${line}\n`);

try {
  await runCommand(parseCommand(process.argv.slice(2)), { print, log, environment: process.env });
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
