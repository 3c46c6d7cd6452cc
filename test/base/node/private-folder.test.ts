/** Creating private folders. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeToOthers, makePrivateFolder } from '../../../src/base/node/private-folder.ts';

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

describe('on Windows a new file or folder', () => {
  const commands: (readonly [string, readonly string[]])[] = [];
  const tools = (environment: Readonly<Record<string, string>>, platform = 'win32') => ({
    platform,
    environment,
    run: (program: string, args: readonly string[]) => commands.push([program, args]) > 0,
  });
  const ANNA = { SystemRoot: 'C:\\Windows', USERDOMAIN: 'ОФИС', USERNAME: 'Анна Петрова' };

  it('loses the rights that it inherits, and is for its owner and the system alone', () => {
    commands.length = 0;
    closeToOthers('D:\\data', 'folder', tools(ANNA));
    closeToOthers('D:\\data.key', 'file', tools({ ...ANNA, USERDOMAIN: 'PC' }));
    expect(commands).toEqual([
      [
        'C:\\Windows\\System32\\icacls.exe',
        [
          ...['D:\\data', '/inheritance:r'],
          ...['/grant:r', 'ОФИС\\Анна Петрова:(OI)(CI)F', '/grant:r', '*S-1-5-18:(OI)(CI)F'],
        ],
      ],
      [
        'C:\\Windows\\System32\\icacls.exe',
        ['D:\\data.key', '/inheritance:r', '/grant:r', 'PC\\Анна Петрова:F', '/grant:r', '*S-1-5-18:F'],
      ],
    ]);
  });

  it('keeps its rights where the owner is unknown, and on other systems', () => {
    commands.length = 0;
    closeToOthers('D:\\data', 'folder', tools({ SystemRoot: 'C:\\Windows' }));
    closeToOthers('/data', 'folder', tools({ USERNAME: 'anna' }, 'linux'));
    expect(commands).toEqual([]);
  });
});
