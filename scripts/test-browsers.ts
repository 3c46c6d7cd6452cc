/**
 * `npm run test:browsers`: the window and the share pages in Chromium, Firefox and WebKitGTK; on Windows only in Edge,
 * on macOS only in Safari. Passes its arguments on to Vitest: names of files, `-t TITLE`.
 */
import { spawnSync } from 'node:child_process';
import { programOf } from './test-run/package-command.ts';

const [command, ...args] = programOf('vitest');
const { status } = spawnSync(command, [...args, 'run', '--project', 'browsers', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, BROWSERS: 'all' },
});
process.exitCode = status ?? 1;
