/** Commands whose output cannot be written. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { itWith } from '../support/only-on.ts';

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
