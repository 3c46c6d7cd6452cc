/**
 * Starts other programs; no other module in `src` imports the functions of `node:child_process`. On Windows a bare
 * program name is looked up in the absolute folders of PATH and in System32, but never in the current folder, where a
 * planted `reg.exe` would run. Children open no console window.
 */
import {
  type ChildProcessWithoutNullStreams,
  type ExecFileOptions,
  execFile,
  execFileSync,
  fork as nodeFork,
  spawn as nodeSpawn,
  type PromiseWithChild,
} from 'node:child_process';
import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';

type Environment = Readonly<Record<string, string | undefined>>;

/** The spelling of a variable here: names of Windows are case-insensitive, but a copy of the environment is not. */
export const variableNameIn = (environment: Environment, name: string): string =>
  environment[name] === undefined ? (Object.keys(environment).find((key) => key.toUpperCase() === name) ?? name) : name;

export const variableIn = (environment: Environment, name: string): string | undefined =>
  environment[variableNameIn(environment, name)];

/** The path of a program that ships with Windows, such as `reg.exe`. */
export const windowsProgram = (name: string, environment: Environment): string =>
  win32.join(variableIn(environment, 'SYSTEMROOT') ?? 'C:\\Windows', 'System32', name);

/** The path of Windows PowerShell, which ships with Windows since version 7. */
export const powershell = (environment: Environment): string =>
  windowsProgram('WindowsPowerShell\\v1.0\\powershell.exe', environment);

export interface Lookup {
  readonly platform: NodeJS.Platform;
  readonly exists: (path: string) => boolean;
}

/** The paths that a file may have in the absolute folders of PATH, in their order. */
export const programPaths = (file: string, environment: Environment, platform: NodeJS.Platform): readonly string[] => {
  const { delimiter, isAbsolute, join } = platform === 'win32' ? win32 : posix;
  const folders = (variableIn(environment, 'PATH') ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, file));
};

/** The program to start; on Windows always a path, which does not exist if the program is not found. */
export const locateProgram = (
  program: string,
  environment: Environment,
  { platform, exists }: Lookup = { platform: process.platform, exists: existsSync },
): string => {
  if (platform !== 'win32' || /[\\/]/.test(program)) return program;
  const file = win32.extname(program) === '' ? `${program}.exe` : program;
  return programPaths(file, environment, platform).find(exists) ?? windowsProgram(file, environment);
};

/** `spawn` of Node. */
export const spawn = ((program: string, args: readonly string[], options: { readonly env?: Environment }) =>
  nodeSpawn(locateProgram(program, options.env ?? process.env), args, {
    windowsHide: true,
    ...options,
  })) as typeof nodeSpawn;

/**
 * Becomes the program, beside a shell that kills it when the leash ends without a line, as it does when this process
 * dies.
 */
const LEASH = '{ read -r _ <&3 || kill -9 "$$"; } >/dev/null 2>&1 & exec "$@" 3<&-';
/** Of a shell that finds no such program, or none that it may run. */
const NOT_STARTED: readonly (number | null)[] = [126, 127];

interface LeashedProgram {
  readonly child: ChildProcessWithoutNullStreams;
  /** Kills the program when it is destroyed, and when this process dies. */
  readonly leash: Writable;
}

/**
 * Starts a program that ends when this process does, however that happens. Not on Windows. A program that cannot be
 * started exits with a code that `isNotStarted`.
 */
export const spawnOnLeash = (program: string, args: readonly string[], env: Environment): LeashedProgram => {
  const child = spawn('/bin/sh', ['-c', LEASH, 'sh', program, ...args], {
    env: { ...env },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const leash = child.stdio[3] as Writable;
  leash.on('error', () => {});
  // Its process id may soon be another program's.
  child.on('exit', () => leash.end('\n'));
  return { child: child as ChildProcessWithoutNullStreams, leash };
};

export const isNotStarted = (code: number | null): boolean => NOT_STARTED.includes(code);

/** `fork` of Node. */
export const fork = ((path: string, options: object) =>
  nodeFork(path, { windowsHide: true, ...options })) as typeof nodeFork;

/** The output of a program. */
export interface ProgramOutput {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** Why a program failed, with its output until then. */
export interface ProgramError extends Error, ProgramOutput {
  /** A number: the program's exit code. A string: it was not started (`ENOENT`), was aborted or wrote too much. */
  readonly code?: string | number | null;
  /** The signal that ended it. */
  readonly signal?: NodeJS.Signals | null;
}

/** Runs a program until it exits. Rejects with `ProgramError`. */
export const runProgram = (
  program: string,
  args: readonly string[],
  options: Omit<ExecFileOptions, 'encoding'> = {},
): PromiseWithChild<ProgramOutput> =>
  promisify(execFile)(locateProgram(program, options.env ?? process.env), args, {
    windowsHide: true,
    ...options,
    encoding: 'buffer',
  });

/** Blocking `runProgram`; returns the output, of which only ASCII is certain, or null where the program failed. */
export const runProgramSync = (program: string, args: readonly string[]): string | null => {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync(locateProgram(program, process.env), args, { stdio: [...stdio], windowsHide: true }).toString();
  } catch {
    return null;
  }
};
