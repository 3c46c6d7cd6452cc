/** `npm start` builds what is missing, and what is older than one of its sources. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { isOutdated } from '../../scripts/build.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SOURCES = [
  'src/engine/vision/vision-process-entry.ts',
  'src/server/app.ts',
  'src/renderer/main.tsx',
  'src/cli/cli.ts',
  'resources/icon.svg',
  'electron.vite.config.ts',
  'vite.server.config.ts',
  'package-lock.json',
];
const WINDOW = 'out/renderer/index.html';
const PROGRAMS = 'out/server/vision-process-entry.js';
const [EARLIER, BUILT, LATER] = [1_000, 2_000, 3_000];

const openCheckout = (built: readonly string[]) => {
  const root = temporaryFolder('outdated-builds');
  const touch = (path: string, seconds: number): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
    utimesSync(join(root, path), seconds, seconds);
  };
  for (const path of SOURCES) touch(path, EARLIER);
  for (const path of built) touch(path, BUILT);
  const outdated = () => (['window', 'programs'] as const).filter((target) => isOutdated(root, target));
  return { touch, outdated };
};

it('builds both in a clean checkout, and only the programs where they are missing', () => {
  expect(openCheckout([]).outdated()).toEqual(['window', 'programs']);
  expect(openCheckout([WINDOW]).outdated()).toEqual(['programs']);
  expect(openCheckout([WINDOW, PROGRAMS]).outdated()).toEqual([]);
});

it.each([
  ['src/engine/vision/vision-process-entry.ts', ['window', 'programs']],
  ['src/server/app.ts', ['programs']],
  ['vite.server.config.ts', ['programs']],
  ['src/renderer/main.tsx', ['window']],
  ['src/cli/cli.ts', []],
])('after a change of %s builds %j', (path, expected) => {
  const { touch, outdated } = openCheckout([WINDOW, PROGRAMS]);
  touch(path, LATER);
  expect(outdated()).toEqual(expected);
});
