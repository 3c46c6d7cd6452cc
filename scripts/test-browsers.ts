/**
 * `npm run test:browsers`: the window and the share pages in Chromium, Firefox and WebKitGTK; on Windows only in Edge,
 * on macOS only in Safari. Installs the browsers that are missing (Debian), and passes its arguments on to Vitest: names
 * of files, `-t TITLE`.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { programOf } from './test-run/package-command.ts';

for (const set of process.platform === 'linux' ? [[], ['browsers']] : [])
  if (spawnSync(resolve('scripts/provision'), set, { stdio: 'inherit' }).status !== 0)
    console.log('  continuing with what this machine has; a browser that is missing is skipped and said');

const [command, ...args] = programOf('vitest');
const { status } = spawnSync(command, [...args, 'run', '--project', 'browsers', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, BROWSERS: '1' },
});
process.exitCode = status ?? 1;
