/** Starting at login: setting and system agree, on a real autostart folder and on Electron's login items. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { windowsCommandLine } from '../../../src/main/system/quote-windows-arguments.ts';
import {
  createAutostart,
  createLoginItem,
  followStartAtLogin,
  isHidden,
  type LoginEntry,
} from '../../../src/main/system/start-at-login.ts';
import { app, desktop, resetDesktop } from '../../support/electron/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const follow = (entry: LoginEntry) => {
  const changes: unknown[] = [];
  const login = followStartAtLogin({ entry, updateSettings: (change) => changes.push(change), log: () => {} });
  return { login, changes };
};

describe('on Linux', () => {
  let folder = '';
  let file = '';
  beforeEach(() => {
    folder = temporaryFolder('autostart');
    file = join(folder, 'autostart/linkshot.desktop');
  });

  it('turning it on writes an entry that starts the app hidden; turning it off removes it', () => {
    const { login, changes } = follow(
      createAutostart(folder, { program: '/opt/Link shot/$app', args: ['/a "b" 100%'] }),
    );
    login.follow({ startAtLogin: false });
    expect(existsSync(file)).toBe(false);
    login.follow({ startAtLogin: true });
    const entry = readFileSync(file, 'utf8');
    expect(entry).toContain('[Desktop Entry]\nType=Application');
    expect(entry).toContain(String.raw`Exec="/opt/Link shot/\\$app" "/a \\"b\\" 100%%" "--hidden"`);
    login.follow({ startAtLogin: false });
    expect(existsSync(file)).toBe(false);
    expect(changes).toEqual([]);
  });

  it('an entry that the user removed or turned off in the desktop’s settings turns the setting off', () => {
    const launch = { program: '/opt/linkshot', args: [] };
    const removed = follow(createAutostart(folder, launch));
    removed.login.follow({ startAtLogin: true });
    expect(removed.changes).toEqual([{ startAtLogin: false }]);

    for (const off of ['X-GNOME-Autostart-enabled=false', 'Hidden=true']) {
      mkdirSync(join(folder, 'autostart'), { recursive: true });
      writeFileSync(file, `[Desktop Entry]\nExec=/opt/linkshot\n${off}\n`);
      const { login, changes } = follow(createAutostart(folder, launch));
      login.follow({ startAtLogin: true });
      expect(changes).toEqual([{ startAtLogin: false }]);
    }
  });

  it('a program that has moved is found at its new place', () => {
    createAutostart(folder, { program: '/old/linkshot', args: [] }).set();
    follow(createAutostart(folder, { program: '/new/linkshot', args: [] })).login.follow({ startAtLogin: true });
    expect(readFileSync(file, 'utf8')).toContain('Exec="/new/linkshot" "--hidden"');
  });

  it('a folder that cannot be written is reported, and the setting still matches the system', () => {
    writeFileSync(join(folder, 'autostart'), 'a file');
    const { login, changes } = follow(createAutostart(folder, { program: '/opt/linkshot', args: [] }));
    login.follow({ startAtLogin: false });
    login.follow({ startAtLogin: true });
    expect(changes).toEqual([{ startAtLogin: false }]);
  });
});

describe('on Windows and macOS', () => {
  it('the login item starts the app hidden, and is removed with the setting', () => {
    resetDesktop();
    const { login } = follow(createLoginItem(app, { program: 'C:\\Linkshot.exe', args: [] }));
    login.follow({ startAtLogin: false });
    login.follow({ startAtLogin: true });
    expect(desktop.loginItem).toEqual({ path: 'C:\\Linkshot.exe', args: ['--hidden'], openAtLogin: true });
    login.follow({ startAtLogin: false });
    expect(desktop.loginItem.openAtLogin).toBe(false);
  });

  it('an item that the user turned off in the Task Manager of Windows turns the setting off, and stays off', () => {
    resetDesktop();
    const item = createLoginItem(app, { program: 'C:\\Linkshot.exe', args: [] });
    item.set();
    desktop.isLoginItemOff = true;
    const { login, changes } = follow(item);
    login.follow({ startAtLogin: true });
    expect(changes).toEqual([{ startAtLogin: false }]);
    expect(desktop.isLoginItemOff).toBe(true);
    login.follow({ startAtLogin: false });
    expect(desktop.loginItem.openAtLogin).toBe(false);
    // Turned on in Linkshot, it is on.
    login.follow({ startAtLogin: true });
    expect(item.isSet()).toBe(true);
  });

  it('a program or a profile whose path has a space is one word of the command line, and others are as they were', () => {
    resetDesktop();
    const profile = ['--profile', 'D:\\My data'];
    createLoginItem(app, { program: 'C:\\Users\\Mira Lind\\Linkshot.exe', args: profile }).set();
    const { path = '', args = [] } = desktop.loginItem;
    // As Electron writes the entry: without the quotes around the program, and with its own where a word needs them.
    const words = [path.replace(/^"(.*)"$/, '$1'), ...args];
    expect(words.map((word) => (/[ \\"]/.test(word) ? windowsCommandLine([word]) : word)).join(' ')).toBe(
      String.raw`"C:\Users\Mira Lind\Linkshot.exe" --profile "D:\My data" --hidden`,
    );
  });

  it('a start at login shows no window: by its argument, and on macOS because the system reports it', () => {
    resetDesktop();
    expect(isHidden({ isHidden: true }, 'win32', app)).toBe(true);
    expect(isHidden({ isHidden: false }, 'darwin', app)).toBe(false);
    desktop.wasOpenedAtLogin = true;
    expect(isHidden({ isHidden: false }, 'darwin', app)).toBe(true);
  });
});
