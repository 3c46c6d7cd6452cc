/**
 * The programs of both command lines. `npm test` has built them and starts what ships; a run of single files starts the
 * sources.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILT } from '../../scripts/test-run/built-variable.ts';

const program = (built: string, source: string): string =>
  resolve(import.meta.dirname, '../..', process.env[BUILT] === '1' ? built : source);

export const CLI = program('out/cli/cli.js', 'src/cli/cli.ts');
export const SERVER_CLI = program('out/server-cli/cli.js', 'src/server/cli.ts');

/** A program that a test kills would be compiled again at each start, which is half of its processor time. */
export const KEEP_COMPILED = `--import=${pathToFileURL(resolve(import.meta.dirname, 'processes/keep-compiled.mjs'))}`;
