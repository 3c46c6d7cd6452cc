/** Builds what `npm start` needs and whose sources are newer than its last build, in one process at a time. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

interface Target {
  /** Written by every build. */
  readonly result: string;
  /** A folder of `src` that is no part of it. */
  readonly without: RegExp;
  readonly config: string;
  /** Of `node_modules`, with its arguments. */
  readonly builder: readonly [program: string, ...args: string[]];
}

/** `window`: the pages and the desktop app. `programs`: the processes that the desktop app starts. */
const TARGETS = {
  window: {
    result: 'out/renderer/index.html',
    without: /^src\/(server|cli|web)$/,
    config: 'electron.vite.config.ts',
    builder: ['electron-vite/bin/electron-vite.js', 'build'],
  },
  programs: {
    result: 'out/server/vision-process-entry.js',
    without: /^src\/(renderer|preload|cli|web)$/,
    config: 'vite.server.config.ts',
    builder: ['vite/bin/vite.js', 'build', '-c', 'vite.server.config.ts'],
  },
} as const satisfies Record<string, Target>;

export type BuildTarget = keyof typeof TARGETS;

const newest = (root: string, path: string, without: RegExp): number => {
  const full = join(root, path);
  const facts = statSync(full);
  if (!facts.isDirectory()) return facts.mtimeMs;
  if (without.test(path)) return 0;
  return Math.max(0, ...readdirSync(full).map((name) => newest(root, `${path}/${name}`, without)));
};

const builtAt = (path: string): number => {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
};

/** Whether it has never been built, or a source is newer. */
export const isOutdated = (root: string, target: BuildTarget): boolean => {
  const { result, without, config } = TARGETS[target];
  const sources = ['src', 'resources', config, 'package-lock.json'];
  return Math.max(...sources.map((path) => newest(root, path, without))) >= builtAt(join(root, result));
};

const LONGEST_BUILD_MS = 600_000;

/** Waits for the process that holds the lock. SQLite's lock ends with its process, however that ends. */
const whileLocked = <T>(root: string, work: () => T): T => {
  mkdirSync(join(root, 'out'), { recursive: true });
  const lock = new Database(join(root, 'out/build-lock.db'), { timeout: LONGEST_BUILD_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return work();
  } finally {
    lock.close();
  }
};

const build = (root: string, target: BuildTarget): boolean => {
  const [program, ...args] = TARGETS[target].builder;
  const words = [join(root, 'node_modules', program), ...args, '--logLevel', 'warn'];
  const env = { ...process.env, ELECTRON_SKIP_BINARY_DOWNLOAD: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, env, encoding: 'utf8' });
  if (status !== 0) console.error(`The build failed.\n${stdout}${stderr}`);
  return status === 0;
};

/** Returns false when the build failed; why is then on the terminal. */
export const buildIfOlder = (root: string, target: BuildTarget): boolean => {
  if (!isOutdated(root, target)) return true;
  console.log('Building Linkshot …');
  try {
    // Another start may have built it meanwhile.
    return whileLocked(root, () => !isOutdated(root, target) || build(root, target));
  } catch (error) {
    console.error(`Linkshot cannot be built here: ${(error as Error).message}`);
    return false;
  }
};
