/** Test files share a process: which do not, and that one which leaves something behind is found. */
import fs, { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ALONE } from './alone.ts';
import { FAST } from './fast.ts';
import { rememberFacts, rememberLoaded } from './support/process-state.ts';

it('every file that runs alone is there, and is no fast one', () => {
  const root = resolve(import.meta.dirname, '..');
  const files = Object.keys(ALONE);
  expect(files.filter((file) => !existsSync(join(root, file)) || FAST.includes(file))).toEqual([]);
});

it('every file that replaces modules runs alone, because a replaced module stays replaced for later files', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .filter((name) => /^vi\.(mock|doMock)\(/m.test(readFileSync(join(import.meta.dirname, name), 'utf8')))
    .map((name) => `test/${name.replaceAll('\\', '/')}`);
  expect(files).not.toEqual([]);
  expect(files.filter((file) => !(file in ALONE))).toEqual([]);
});

const folder = process.cwd();
const mask = process.umask();
const { statSync } = fs;
const { fetch } = globalThis;
const listener = () => {};
it.each<[string, () => void, () => void]>([
  [
    'the variable LINKSHOT_LEFT',
    () => Object.assign(process.env, { LINKSHOT_LEFT: '1' }),
    () => delete process.env['LINKSHOT_LEFT'],
  ],
  ['the folder', () => process.chdir(tmpdir()), () => process.chdir(folder)],
  ['the mask of new files', () => process.umask(mask ^ 0o7), () => process.umask(mask)],
  [
    'the exit code',
    () => {
      process.exitCode = 3;
    },
    () => {
      process.exitCode = undefined;
    },
  ],
  ['the listeners of SIGUSR2', () => process.on('SIGUSR2', listener), () => process.off('SIGUSR2', listener)],
  ['fs.statSync', () => Object.assign(fs, { statSync: listener }), () => Object.assign(fs, { statSync })],
  [
    'globalThis.fetch',
    () => Object.assign(globalThis, { fetch: listener }),
    () => Object.assign(globalThis, { fetch }),
  ],
])('a file that leaves %s changed is found', (what, change, restore) => {
  const changed = [rememberFacts(), rememberLoaded()];
  const all = () => changed.flatMap((since) => since());
  expect(all()).toEqual([]);
  change();
  try {
    expect(all()).toEqual([what]);
  } finally {
    restore();
  }
  expect(all()).toEqual([]);
});
