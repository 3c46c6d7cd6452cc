/** Commands whose output cannot be written, whose input cannot be read, whose folder is gone, or that meet a bug. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { performCommand } from '../support/command-line.ts';
import { itWith } from '../support/only-on.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = temporaryFolder('streams');
const CLI = resolve(import.meta.dirname, '../../src/cli/cli.ts');

/** Linux has a file that is always full. */
itWith('devices among files')(
  'a disk that rejects the output is reported in a sentence and by the exit code',
  async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [CLI, 'version'], { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    const [said, [code]] = await Promise.all([
      text(child.stderr as NonNullable<typeof child.stderr>),
      once(child, 'close'),
    ]);
    expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(/^The output could not be written.*\n$/) });
  },
);

it('a reader that stops early, such as head, does not change the exit code', async () => {
  const child = spawn(process.execPath, [CLI, 'help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect({ code, said }).toEqual({ code: 0, said: '' });
});

it.each([
  [['import', '-'], 'Give a FILE instead.'],
  [['connect', 'http://127.0.0.1:1', '--key', '-'], 'Set LINKSHOT_KEY in the environment instead.'],
])('an input that cannot be read is reported in a sentence that names the way out: %j', async (words, instead) => {
  const unreadable = openSync(join(root, 'written'), 'w');
  const child = spawn(process.execPath, [CLI, ...words], { stdio: [unreadable, 'ignore', 'pipe'] });
  closeSync(unreadable);
  const [said, [code]] = await Promise.all([
    text(child.stderr as NonNullable<typeof child.stderr>),
    once(child, 'close'),
  ]);
  expect(code).toBe(1);
  expect(said).toMatch(/^.*The standard input cannot be read: E.*\n$/);
  expect(said).toContain(instead);
});

itWith('programs of Linux')('a command runs in a folder that was removed, and finds no file there', async () => {
  const folder = join(root, 'removed');
  const script = 'mkdir "$1" && cd "$1" && rmdir "$1" && shift && exec "$@"';
  const words = [process.execPath, CLI, 'import', 'settings.json', '--json'];
  const child = spawn('sh', ['-c', script, 'sh', folder, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect({ code, complained }).toEqual({ code: 1, complained: '' });
  expect(JSON.parse(said)).toMatchObject({ error: { code: 'SOURCE_MISSING', file: 'settings.json' } });
});

it('a bug is reported as every error is', async () => {
  const instance = () => Promise.reject(new Error('There is no such thing.'));
  const { code, json } = await performCommand(['status', '--json', '--profile', root], {}, '', { instance });
  expect([code, json()]).toMatchObject([
    1,
    [{ error: { code: 'APP_FAILED', message: expect.stringContaining('There is no such thing.') } }],
  ]);
});
