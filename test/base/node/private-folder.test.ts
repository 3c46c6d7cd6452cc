/** Creating private folders. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makePrivateFolder } from '../../../src/base/node/private-folder.ts';

it('are made with all those above, for their owner alone', () => {
  const above = mkdtempSync(join(tmpdir(), 'private-'));
  onTestFinished(() => rmSync(above, { recursive: true, force: true, maxRetries: 5 }));
  const path = join(above, 'one', 'two');
  makePrivateFolder(path);
  makePrivateFolder(path);
  expect(statSync(path).isDirectory()).toBe(true);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o700);
});

/** Impossible folders: below a file of the kernel, and on a missing drive or share. */
const NOWHERE = process.platform === 'win32' ? ['Q:\\a\\b', '\\\\no-such-host\\share\\a'] : ['/proc/a/b'];

it.each(NOWHERE)('%s is refused immediately with the error of the system', (path) => {
  expect(() => makePrivateFolder(path)).toThrow(/^E[A-Z]+: /);
});
