/**
 * Builds the window and the desktop app, without the programs in `out/server`, if a source is newer than the last
 * build.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = ['src', 'resources', 'electron.vite.config.ts', 'package-lock.json'];
/** Not part of any bundle. */
const ELSEWHERE = /^src\/(server|cli|web)$/;

const newest = (root: string, path: string): number => {
  const full = join(root, path);
  const facts = statSync(full);
  if (!facts.isDirectory()) return facts.mtimeMs;
  if (ELSEWHERE.test(path)) return 0;
  return Math.max(0, ...readdirSync(full).map((name) => newest(root, `${path}/${name}`)));
};

const builtAt = (root: string): number => {
  try {
    return statSync(join(root, 'out/renderer/index.html')).mtimeMs;
  } catch {
    return 0;
  }
};

/** Returns false when the build failed; its output is then on the terminal. */
export const buildIfOlder = (root: string): boolean => {
  if (Math.max(...SOURCES.map((path) => newest(root, path))) < builtAt(root)) return true;
  console.log('Building Linkshot …');
  const args = [join(root, 'node_modules/electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'warn'];
  const env = { ...process.env, ELECTRON_SKIP_BINARY_DOWNLOAD: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
  if (status !== 0) console.error(`The build failed.\n${stdout}${stderr}`);
  return status === 0;
};
