/** The list of the fast tests: it names files that exist, and its project really refuses what they promise not to need. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { FAST } from './fast.ts';

it('every fast test file is there, and is named once', () => {
  const root = resolve(import.meta.dirname, '..');
  expect(FAST.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(new Set(FAST).size).toBe(FAST.length);
});

it('a fast test that starts a process, listens or connects fails', async () => {
  expect(() => spawn(process.execPath, ['--version'])).toThrow('must not start a process');
  expect(() => spawnSync(process.execPath, ['--version'])).toThrow('must not start a process');
  expect(() => createServer().listen(0)).toThrow('must not listen');
  await expect(fetch('http://127.0.0.1:8080')).rejects.toMatchObject({
    cause: { message: expect.stringContaining('must not connect') },
  });
});
