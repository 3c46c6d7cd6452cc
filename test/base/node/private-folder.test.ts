/** Creating private folders. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeInherited, closeToOthers, makePrivateFolder } from '../../../src/base/node/private-folder.ts';

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

describe('on Windows a file or folder', () => {
  const ICACLS = 'C:\\Windows\\System32\\icacls.exe';
  const WHOAMI = 'C:\\Windows\\System32\\whoami.exe';
  const ANNA = '"ОФИС\\Анна Петрова","S-1-5-21-1-2-3-1001"\r\n';
  /** `rights`: what icacls lists. `refuses`: it fails to change anything. */
  const windows = ({ account = ANNA as string | null, rights = '', refuses = false, platform = 'win32' } = {}) => {
    const changes: (readonly string[])[] = [];
    return {
      changes,
      platform,
      environment: { SystemRoot: 'C:\\Windows' },
      run(program: string, args: readonly string[]): string | null {
        if (program === WHOAMI) return account;
        expect(program).toBe(ICACLS);
        if (args.length === 1) return rights;
        changes.push(args);
        return refuses ? null : '';
      },
    };
  };
  const closed = (path: string, rights: string, ...accounts: readonly string[]) => [
    [path, '/inheritance:r', ...accounts.flatMap((account) => ['/grant:r', `*${account}:${rights}`])],
  ];

  it('loses the rights that it inherits, and is for its account, the system and administrators alone', () => {
    const [folder, file] = [windows(), windows()];
    expect(closeToOthers('D:\\data', 'folder', folder)).toBe(true);
    expect(closeToOthers('D:\\data.key', 'file', file)).toBe(true);
    const accounts = ['S-1-5-21-1-2-3-1001', 'S-1-5-18', 'S-1-5-32-544'];
    expect(folder.changes).toEqual(closed('D:\\data', '(OI)(CI)F', ...accounts));
    expect(file.changes).toEqual(closed('D:\\data.key', 'F', ...accounts));
  });

  it.each([
    ['LocalSystem', '"nt-autorität\\system","S-1-5-18"\r\n', ['S-1-5-18', 'S-1-5-32-544']],
    [
      'an account of its own',
      '"nt service\\linkshot","S-1-5-80-7-8"\r\n',
      ['S-1-5-80-7-8', 'S-1-5-18', 'S-1-5-32-544'],
    ],
    ['whoever owns it, where Windows does not say', null, ['S-1-3-4', 'S-1-5-18', 'S-1-5-32-544']],
  ])('is closed for a service that runs as %s', (_, account, accounts) => {
    const system = windows({ account });
    expect(closeToOthers('C:\\data', 'folder', system)).toBe(true);
    expect(system.changes).toEqual(closed('C:\\data', '(OI)(CI)F', ...accounts));
  });

  it.each([
    [
      'inherits rights',
      'C:\\data BUILTIN\\Users:(I)(OI)(CI)(RX)\r\n        NT AUTHORITY\\SYSTEM:(I)(OI)(CI)(F)\r\n',
      1,
    ],
    ['inherits rights beside its own', 'C:\\data PC\\anna:(F)\r\n        BUILTIN\\Users:(I)(RX)\r\n', 1],
    ['has no rights at all, as on FAT', 'C:\\data No permissions are set. All users have full control.\r\n', 1],
    ['has only rights that were set on purpose', 'C:\\data OFFICE\\backup:(OI)(CI)(RX)\r\n', 0],
  ])('that was there before and %s', (_, rights, changes) => {
    const system = windows({ rights });
    expect(closeInherited('C:\\data', 'folder', system)).toBe(true);
    expect(system.changes).toHaveLength(changes);
  });

  it('that Windows does not close is told', () => {
    const system = windows({ refuses: true });
    expect(closeToOthers('E:\\data', 'folder', system)).toBe(false);
    expect(closeInherited('E:\\data', 'folder', system)).toBe(false);
  });

  it('is left alone on other systems', () => {
    const system = windows({ platform: 'linux' });
    expect(closeToOthers('/data', 'folder', system)).toBe(true);
    expect(closeInherited('/data', 'folder', system)).toBe(true);
    expect(system.changes).toEqual([]);
  });
});
