/** Commands whose output cannot be written, or whose input cannot be read. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
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
