/**
 * Defines the paths in the persistent folder of `npm run test:windows`, such as the tools, the working folders and the
 * reports. Also says why `npm test` cannot use Wine yet.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

export interface WindowsFolder {
  readonly path: string;
  /** The sources with the packages for Windows: a copy under Wine, this project on Windows. */
  readonly project: string;
  /** Programs outside of the project's packages, such as ffmpeg.exe. */
  readonly tools: string;
  /** Output of tests; empty at the start of a run. */
  readonly work: string;
  /** The same on drive C:, where it is `C:\\Linkshot tests`. */
  readonly driveWork: string;
  /** The hash of the package-lock.json that the packages belong to. */
  readonly stamp: string;
}

/** `LINKSHOT_WINE`, or a folder in the user's cache. */
export const windowsFolder = (environment: Readonly<Record<string, string | undefined>>): WindowsFolder => {
  const { LINKSHOT_WINE: named, XDG_CACHE_HOME: cache } = environment;
  const isWindows = process.platform === 'win32';
  const caches = cache !== undefined && isAbsolute(cache) ? cache : join(homedir(), '.cache');
  const path = named ? resolve(named) : join(caches, isWindows ? 'linkshot-windows' : 'linkshot-wine');
  return {
    path,
    project: isWindows ? resolve(import.meta.dirname, '../..') : join(path, 'project'),
    tools: join(path, 'tools'),
    work: join(path, 'work'),
    driveWork: isWindows ? 'C:\\Linkshot tests' : join(path, 'prefix', 'drive_c', 'Linkshot tests'),
    stamp: join(path, 'packages-of'),
  };
};

/** Vitest's report of the last scenarios. */
export const scenarioReport = (folder: WindowsFolder): string => join(folder.path, 'logs', 'scenarios.json');

/** Identifies the packages of `root`. */
export const lockHash = (root: string): string =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');

/** Null: tests can start. Otherwise why they cannot, in one sentence. */
export const whyNotReady = (folder: WindowsFolder, root: string): string | null => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'Wine is set up on Debian as root.';
  if (!existsSync(join(folder.path, 'prefix-is-whole')) || !existsSync(folder.stamp))
    return `Wine is not set up in ${folder.path}: npm run test:windows does it.`;
  if (readFileSync(folder.stamp, 'utf8') !== lockHash(root))
    return `${folder.path} has other packages than package-lock.json: npm run test:windows renews them.`;
  return null;
};
