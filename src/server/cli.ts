/**
 * The server's command line (API decisions 9): one line of JSON on stdout, diagnostics on stderr, exit code 2 for a
 * usage error.
 */
import '../base/node/require-node.ts';
import { runLine } from './command-line/commands.ts';

const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const log = (line: string): void => void process.stderr.write(`${line}\n`);

process.exitCode = await runLine(process.argv.slice(2), { print, log, environment: process.env });
