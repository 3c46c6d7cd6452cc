/** `npm start` fetches Electron while that makes progress, and says why there is none. */
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { buildIfOlder } from '../../scripts/build.ts';
import { createStallDetector, findElectron } from '../../scripts/electron-binary.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

beforeEach(() => {
  for (const name of ['ELECTRON_OVERRIDE_DIST_PATH', 'ELECTRON_SKIP_BINARY_DOWNLOAD']) vi.stubEnv(name, undefined);
  vi.spyOn(console, 'log').mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A checkout whose package of Electron has this installer. */
const openCheckout = (installer: string) => {
  const root = temporaryFolder('electron-binary');
  const folder = join(root, 'node_modules/electron');
  mkdirSync(folder, { recursive: true });
  const runs = join(root, 'runs');
  const script = `const fs = require('fs'); const os = require('os'); const { join } = require('path');
    fs.appendFileSync(${JSON.stringify(runs)}, 'x');
    fs.writeFileSync(join(os.tmpdir(), 'part.zip'), 'part');
    ${installer}`;
  writeFileSync(join(folder, 'install.js'), script);
  return {
    root,
    folder,
    runs: () => (existsSync(runs) ? readFileSync(runs, 'utf8').length : 0),
    left: () => readdirSync(join(root, 'out')).filter((name) => name.includes('download')),
  };
};

it('is found after it was fetched, and what was needed for that is removed', async () => {
  const { root, folder, left } = openCheckout(`fs.mkdirSync(join(__dirname, 'dist'));
    fs.writeFileSync(join(__dirname, 'dist/program'), '');
    fs.writeFileSync(join(__dirname, 'path.txt'), 'program');`);
  expect(await findElectron(root)).toEqual({ binary: join(folder, 'dist/program') });
  expect(left()).toEqual([]);
});

it('is not fetched again within a day after a failure, whose reason is given each time with the command', async () => {
  const { root, runs, left } = openCheckout(
    "console.error('RequestError: no such host\\n  at line'); process.exit(1);",
  );
  const missing =
    'Electron could not be fetched (RequestError: no such host; to try again: node node_modules/electron/install.js)';
  expect(await findElectron(root)).toEqual({ missing });
  expect(await findElectron(root)).toEqual({ missing });
  expect(runs()).toBe(1);
  expect(left()).toEqual([]);
});

it('is given up where nothing comes, and leaves nothing', async () => {
  const { root, left } = openCheckout('setInterval(() => {}, 1_000);');
  expect(await findElectron(root, 200)).toEqual({ missing: expect.stringContaining('nothing came for 0.2 s') });
  expect(left()).toEqual([]);
});

it('is no longer fetched by a start that is asked to end, which leaves nothing and is no failure', async () => {
  const { root, folder, left } = openCheckout(`fs.writeFileSync(join(__dirname, 'new'), String(process.pid));
    fs.renameSync(join(__dirname, 'new'), join(__dirname, 'pid'));
    setInterval(() => {}, 1_000);`);
  const listeners = process.listenerCount('SIGBREAK');
  const found = findElectron(root);
  await expect.poll(() => existsSync(join(folder, 'pid'))).toBe(true);
  process.emit('SIGBREAK');
  expect(await found).toBeNull();
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(left()).toEqual([]);
  expect(existsSync(join(root, 'out/.electron-not-fetched'))).toBe(false);
  expect(process.listenerCount('SIGBREAK')).toBe(listeners);
});

it('what a start that was killed has left of its download is removed after a day, also where it is there by now', async () => {
  const { root, folder, left } = openCheckout('');
  mkdirSync(join(folder, 'dist'));
  for (const [name, text] of Object.entries({ 'dist/program': '', 'path.txt': 'program' }))
    writeFileSync(join(folder, name), text);
  for (const name of ['old', 'new']) mkdirSync(join(root, `out/.electron-download-${name}`), { recursive: true });
  utimesSync(join(root, 'out/.electron-download-old'), 0, 0);
  expect(await findElectron(root)).toEqual({ binary: join(folder, 'dist/program') });
  expect(left()).toEqual(['.electron-download-new']);
});

it('is waited for as long as it grows', () => {
  const isStalled = createStallDetector(20_000, 0);
  for (let bytes = 1; bytes < 100; bytes += 1) expect(isStalled(bytes, bytes * 19_999)).toBe(false);
  expect(isStalled(99, 99 * 19_999 + 19_999)).toBe(false);
  expect(isStalled(99, 99 * 19_999 + 20_000)).toBe(true);
  // Where not even a first byte comes.
  expect(createStallDetector(20_000, 5_000)(0, 25_000)).toBe(true);
});

it('is missing, and nothing can be built, in a checkout that cannot be written', async () => {
  const { root, runs } = openCheckout('');
  writeFileSync(join(root, 'out'), '');
  expect(await findElectron(root)).toEqual({ missing: expect.stringContaining('could not be fetched (E') });
  expect(runs()).toBe(0);
  for (const name of ['src', 'resources']) mkdirSync(join(root, name));
  for (const name of ['electron.vite.config.ts', 'package-lock.json']) writeFileSync(join(root, name), '');
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(buildIfOlder(root, 'window')).toBe(false);
  expect(reported).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^Linkshot cannot be built here: E/));
});
