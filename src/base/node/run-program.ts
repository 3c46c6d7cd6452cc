/**
 * Starts other programs; the functions of `node:child_process` are imported nowhere else.
 *
 * On Windows a program that is named without a folder is looked up in the current folder first, which may be a folder of
 * downloads: whoever puts a `reg.exe` there is run. Here such a name is looked up in the absolute folders of PATH alone.
 * No console window opens for a child.
 */
import {
  type ExecFileOptions,
  execFile,
  execFileSync,
  fork as nodeFork,
  spawn as nodeSpawn,
  type PromiseWithChild,
} from 'node:child_process';
import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import { promisify } from 'node:util';

type Environment = Readonly<Record<string, string | undefined>>;

/** A copy of the environment of Windows still names its variables in any case. */
const variableIn = (environment: Environment, name: string): string | undefined =>
  environment[name] ?? Object.entries(environment).find(([key]) => key.toUpperCase() === name)?.[1];

/** The path of a program that Windows brings, such as `reg.exe`. */
export const windowsProgram = (name: string, environment: Environment): string =>
  win32.join(variableIn(environment, 'SYSTEMROOT') ?? 'C:\\Windows', 'System32', name);

/** The path of Windows PowerShell, which every Windows since 7 brings. */
export const powershell = (environment: Environment): string =>
  windowsProgram('WindowsPowerShell\\v1.0\\powershell.exe', environment);

export interface Lookup {
  readonly platform: NodeJS.Platform;
  readonly exists: (path: string) => boolean;
}

/** What to start for `program`; on Windows always a path, one that leads nowhere where the program is not found. */
export const locateProgram = (
  program: string,
  environment: Environment,
  { platform, exists }: Lookup = { platform: process.platform, exists: existsSync },
): string => {
  if (platform !== 'win32' || /[\\/]/.test(program)) return program;
  const file = win32.extname(program) === '' ? `${program}.exe` : program;
  const folders = (variableIn(environment, 'PATH') ?? '')
    .split(win32.delimiter)
    .filter((folder) => win32.isAbsolute(folder));
  const paths = folders.map((folder) => win32.join(folder, file));
  return paths.find(exists) ?? windowsProgram(file, environment);
};

/** `spawn` of Node. */
export const spawn = ((program: string, args: readonly string[], options: { readonly env?: Environment }) =>
  nodeSpawn(locateProgram(program, options.env ?? process.env), args, {
    windowsHide: true,
    ...options,
  })) as typeof nodeSpawn;

/** `fork` of Node. */
export const fork = ((path: string, options: object) =>
  nodeFork(path, { windowsHide: true, ...options })) as typeof nodeFork;

/** What a program wrote. */
export interface Written {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** Why a program gave no good answer, and what it wrote until then. */
export interface ProgramError extends Error, Written {
  /** A number: its own exit code. A text: it was not started (`ENOENT`), was aborted or wrote too much. */
  readonly code?: string | number | null;
  /** What it was ended by. */
  readonly signal?: NodeJS.Signals | null;
}

/** Runs a program to its end. Rejects with `ProgramError`. */
export const runProgram = (
  program: string,
  args: readonly string[],
  options: Omit<ExecFileOptions, 'encoding'> = {},
): PromiseWithChild<Written> =>
  promisify(execFile)(locateProgram(program, options.env ?? process.env), args, {
    windowsHide: true,
    ...options,
    encoding: 'buffer',
  });

/** `runProgram` that blocks; answers whether the program ended well. */
export const runProgramSync = (program: string, args: readonly string[]): boolean => {
  try {
    execFileSync(locateProgram(program, process.env), args, { stdio: 'ignore', windowsHide: true });
    return true;
  } catch {
    return false;
  }
};
