/**
 * Runs helper programs, such as `grim` for screenshots, with only the environment variables that they need, so that
 * keys are not passed on. Also finds the error message of a program.
 */

import { type ProgramError, runProgram } from '../base/node/run-program.ts';

export interface ProcessOutput {
  readonly output: Buffer;
  /** What it wrote to stderr. */
  readonly stderr: string;
  /** `missing`: the program is not installed. */
  readonly end: 'good' | 'failed' | 'missing';
}

/** Runs a program to its end; kills it when it is cancelled or exceeds the time limit. */
export type RunProgram = (path: string, args: readonly string[], signal: AbortSignal) => Promise<ProcessOutput>;

const TIMEOUT_MS = 20_000;
const MOST_BYTES = 2 ** 30;

/** `environment`: all variables that the program gets; never a key. */
export const runProgramIn =
  (environment: Readonly<Record<string, string>>): RunProgram =>
  (path, args, signal) =>
    runProgram(path, args, {
      ...{ env: environment, signal, timeout: TIMEOUT_MS },
      ...{ killSignal: 'SIGKILL', maxBuffer: MOST_BYTES },
    }).then(
      ({ stdout, stderr }) => ({ output: stdout, stderr: stderr.toString(), end: 'good' }),
      ({ stdout, stderr, code }: ProgramError) => {
        const end = code === 'ENOENT' ? 'missing' : 'failed';
        return { output: stdout, stderr: stderr.toString(), end };
      },
    );

/** The last line of stderr, for use in an error message. */
export const lastStderrLine = ({ stderr }: ProcessOutput): string =>
  stderr.trim().split('\n').at(-1) || 'no error output';

/** The environment variables that a helper program needs; others, keys above all, are not passed on. */
const PASSED_ON = [
  ...['PATH', 'HOME', 'LANG', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR'],
  ...['SYSTEMROOT', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'],
] as const;

/** Runs helper programs with only the variables that they need. */
export const programsIn = (environment: Readonly<Record<string, string | undefined>>): RunProgram =>
  runProgramIn(
    Object.fromEntries(PASSED_ON.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : []))),
  );
