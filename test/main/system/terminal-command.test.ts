/** The folder of the command in the user's PATH: on Windows in its own registry, else in one in memory. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Settings } from '../../../src/ipc/protocol/settings.ts';
import { commandFolderOf, createTerminalCommand, pathChangeIn } from '../../../src/main/system/terminal-command.ts';
import { createUserPath } from '../../../src/main/system/user-path.ts';
import {
  openUserEnvironment,
  type UserEnvironment,
  type Variable,
} from '../../../src/main/system/windows-user-variables.ts';
import { isWindows } from '../../support/only-on.ts';

const FOLDER = String.raw`C:\Users\Анна Петрова\AppData\Local\Programs\Linkshot\resources\bin`;
/** Of all tests; each removes what it writes. */
const TEST_KEY = String.raw`Software\Linkshot tests\Environment`;

const memoryEnvironment = (): UserEnvironment => {
  const values = new Map<string, Variable>();
  return {
    read: (name) => values.get(name.toLowerCase()) ?? null,
    write: (name, variable) => void values.set(name.toLowerCase(), variable),
    remove: (name) => void values.delete(name.toLowerCase()),
    announce: () => {},
  };
};

const environment = isWindows ? await openUserEnvironment(process.env, TEST_KEY) : memoryEnvironment();
let announced = 0;
const path = createUserPath({
  ...environment,
  announce: () => {
    announced += 1;
  },
});
const store = (value: string, hasReferences = true): void => environment.write('Path', { value, hasReferences });

afterEach(() => {
  environment.remove('Path');
  announced = 0;
});

describe('the PATH of the user', () => {
  it('gets the folder once, behind all that is in it, and running programs are told', () => {
    const before = String.raw`%USERPROFILE%\go\bin;C:\Инструменты\bin;"C:\with; semicolon"`;
    store(before);
    path.add(FOLDER);
    path.add(FOLDER);
    expect(environment.read('Path')).toEqual({ value: `${before};${FOLDER}`, hasReferences: true });
    expect([path.has(FOLDER), announced]).toEqual([true, 1]);
  });

  it('is as it was before when the folder is removed again', () => {
    for (const [before, hasReferences] of [
      [String.raw`C:\one;%APPDATA%\npm`, true],
      [String.raw`C:\one`, false],
    ] as const) {
      store(before, hasReferences);
      path.add(FOLDER);
      path.remove(FOLDER);
      expect(environment.read('Path')).toEqual({ value: before, hasReferences });
      expect(path.has(FOLDER)).toBe(false);
    }
    path.remove(FOLDER);
    expect(announced).toBe(4);
  });

  it('is made where the user has none, and goes with its only folder', () => {
    expect(path.has(FOLDER)).toBe(false);
    path.add(FOLDER);
    expect(environment.read('Path')).toEqual({ value: FOLDER, hasReferences: true });
    path.remove(FOLDER);
    expect(environment.read('Path')).toBeNull();
  });

  it('knows the folder in other cases, in quotes and with a closing backslash', () => {
    for (const entry of [FOLDER.toUpperCase(), `"${FOLDER}"`, `${FOLDER}\\`]) {
      store(`C:\\one;${entry};C:\\two`);
      expect(path.has(FOLDER)).toBe(true);
      path.remove(FOLDER);
      expect(environment.read('Path')?.value).toBe('C:\\one;C:\\two');
    }
  });

  it('of many kilobytes stays whole', () => {
    const long = Array.from({ length: 400 }, (_, index) => `C:\\Программы\\number ${index}`).join(';');
    store(long);
    path.add(FOLDER);
    expect(environment.read('Path')?.value).toBe(`${long};${FOLDER}`);
  });

  it('that would be too long for Windows is refused and stays as it is', () => {
    const full = 'C:\\x'.padEnd(32_760, 'x');
    store(full);
    expect(() => path.add(FOLDER)).toThrow('The PATH of this user is too long for another folder.');
    expect(environment.read('Path')?.value).toBe(full);
  });
});

describe('the setting', () => {
  const open = (openUserPath = async () => path) => {
    const changes: Partial<Settings>[] = [];
    const log: string[] = [];
    const command = createTerminalCommand({
      ...{ openUserPath, folder: FOLDER },
      updateSettings: (change) => changes.push(change),
      log: (line) => log.push(line),
    });
    const set = (terminalCommand: boolean) => command.follow({ terminalCommand });
    return { set, changes, log };
  };

  it('follows at the start what the installer has put into the PATH, and afterwards the PATH follows it', async () => {
    path.add(FOLDER);
    const { set, changes } = open();
    set(false);
    await expect.poll(() => changes).toEqual([{ terminalCommand: true }]);
    set(true);
    set(false);
    await expect.poll(() => path.has(FOLDER)).toBe(false);
    set(true);
    await expect.poll(() => path.has(FOLDER)).toBe(true);
    expect(changes).toHaveLength(1);
  });

  it('goes off where the user has taken the folder out of the PATH', async () => {
    const { set, changes } = open();
    set(true);
    await expect.poll(() => changes).toEqual([{ terminalCommand: false }]);
    expect(path.has(FOLDER)).toBe(false);
  });

  it('goes back where Windows refuses, and stays where the PATH cannot even be read', async () => {
    const { set, changes, log } = open(async () => ({
      has: () => false,
      add() {
        throw new Error('no right');
      },
      remove: () => {},
    }));
    set(false);
    set(true);
    await expect.poll(() => changes).toEqual([{ terminalCommand: false }]);
    expect(log).toEqual(['The PATH could not be changed: no right']);
    const unreadable = open(() => Promise.reject(new Error('no module')));
    unreadable.set(true);
    await expect.poll(() => unreadable.log).toEqual(['The PATH could not be read: no module']);
    expect(unreadable.changes).toEqual([]);
  });
});

it('only an installed program on Windows has a folder for the PATH', () => {
  const host = {
    platform: 'win32',
    isPackaged: true,
    resourcesDir: String.raw`C:\L\resources`,
    environment: {},
  } as const;
  expect(commandFolderOf(host)).toBe(String.raw`C:\L\resources\bin`);
  expect(commandFolderOf({ ...host, isPackaged: false })).toBeNull();
  expect(commandFolderOf({ ...host, platform: 'linux' })).toBeNull();
  const portable = { PORTABLE_EXECUTABLE_FILE: 'D:\\L.exe', PORTABLE_EXECUTABLE_APP_FILENAME: 'linkshot' };
  expect(commandFolderOf({ ...host, environment: portable })).toBeNull();
  const inherited = { ...portable, PORTABLE_EXECUTABLE_APP_FILENAME: 'editor' };
  expect(commandFolderOf({ ...host, environment: inherited })).toBe(String.raw`C:\L\resources\bin`);
});

it('the switches of the installer count only as the first word', () => {
  expect(pathChangeIn(['--add-to-path'])).toBe('add');
  expect(pathChangeIn(['--remove-from-path'])).toBe('remove');
  for (const words of [[], ['--'], ['linkshot://x', '--add-to-path'], ['toString']])
    expect(pathChangeIn(words)).toBeNull();
});
