/** `npm start` fetches Electron while that makes progress, and says why there is none. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
