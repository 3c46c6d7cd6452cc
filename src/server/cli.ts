/**
 * The entry file of the server's command line (API decisions 9). A command prints its result as one line of JSON to
 * stdout, and diagnostics to stderr. The exit code is 2 for a usage error and 1 for any other failure.
 */
import '../base/node/require-node.ts';
import { becomeOwner } from './command-line/become-owner.ts';
import { runServerCommandLine } from './command-line/run-server-command-line.ts';

const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const log = (line: string): void => void process.stderr.write(`${line}\n`);

// An error without a listener would end a server whose log is on a full disk, or read by a program that has ended.
process.stderr.on('error', () => {});
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  process.exitCode = 1;
  log(`The result could not be written to stdout (${code}).`);
});

const terminal = { print, log, environment: process.env, becomeOwner };
const code = await runServerCommandLine(process.argv.slice(2), terminal);
process.exitCode ||= code;
