/** The entries in the file manager of Windows: on Windows in its own registry, the shortcut by Electron's double. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shell } from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRegistry, type Registry, runRegIn } from '../../../src/base/node/windows-registry.ts';
import type { Settings } from '../../../src/ipc/protocol/settings.ts';
import { desktopTextsFor } from '../../../src/main/desktop-texts.ts';
import { createExplorerMenu, EXPLORER_KEYS, SEND_TO_SHORTCUT } from '../../../src/main/system/explorer-menu.ts';
import { resetDesktop, shell } from '../../support/electron/index.ts';
import { isWindows } from '../../support/only-on.ts';
import { memoryRegistry } from '../../support/registry.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PROGRAM = String.raw`C:\Program Files\Linkshot\Linkshot.exe`;
const [FILE_KEY = '', FOLDER_KEY = ''] = EXPLORER_KEYS;

const open = (registry: Registry, sendToDir: string) => {
  const changes: Partial<Settings>[] = [];
  const log: string[] = [];
  let language: 'en' | 'ru' = 'en';
  const menu = createExplorerMenu({
    ...{ registry, sendToDir, shell: shell as Pick<Shell, 'writeShortcutLink'> },
    launch: { program: PROGRAM, args: ['--profile', String.raw`D:\a b`] },
    messages: () => desktopTextsFor(language, []),
    updateSettings: (change) => changes.push(change),
    log: (line) => log.push(line),
  });
  const speak = (next: typeof language): void => {
    language = next;
  };
  return { menu, changes, log, speak };
};

describe('the entries in the file manager', () => {
  const memory = memoryRegistry();
  const registry = isWindows ? createRegistry(runRegIn(process.env)) : memory;
  const isInMenu = async () => Promise.all(EXPLORER_KEYS.map((key) => registry.hasKey(`${key}\\command`)));
  let sendToDir = '';
  const shortcut = () => join(sendToDir, SEND_TO_SHORTCUT);
  beforeEach(() => {
    resetDesktop();
    memory.values.clear();
    sendToDir = temporaryFolder('send-to');
    mkdirSync(sendToDir, { recursive: true });
  });
  afterEach(async () => {
    for (const key of EXPLORER_KEYS) await registry.removeKey(key);
  });

  it('appear when the user turns them on, and go completely when they turn them off', async () => {
    const { menu, changes, log } = open(registry, sendToDir);
    menu.follow({ explorerMenu: false });
    menu.follow({ explorerMenu: true });
    await expect.poll(() => existsSync(shortcut())).toBe(true);
    expect(await isInMenu()).toEqual([true, true]);
    expect(JSON.parse(readFileSync(shortcut(), 'utf8'))).toEqual({
      target: PROGRAM,
      args: String.raw`"--profile" "D:\a b" "--"`,
      description: 'Share with Linkshot',
    });
    menu.follow({ explorerMenu: false });
    await expect.poll(() => existsSync(shortcut())).toBe(false);
    expect(await Promise.all(EXPLORER_KEYS.map((key) => registry.hasKey(key)))).toEqual([false, false]);
    expect([changes, log]).toEqual([[], []]);
  });

  it('are written again at the start, because the program may have moved, and follow the language', async () => {
    const { menu, speak } = open(registry, sendToDir);
    menu.follow({ explorerMenu: true });
    await expect.poll(() => existsSync(shortcut())).toBe(true);
    speak('ru');
    menu.follow({ explorerMenu: true });
    await expect.poll(() => readFileSync(shortcut(), 'utf8')).toContain('Поделиться через Linkshot');
  });

  it('are left alone at a start without them', async () => {
    await registry.write(`${FILE_KEY}\\command`, null, 'of another copy');
    const { menu } = open(registry, sendToDir);
    menu.follow({ explorerMenu: false });
    // The next change comes after whatever the start has begun.
    menu.follow({ explorerMenu: true });
    await expect.poll(() => existsSync(shortcut())).toBe(true);
    expect(await isInMenu()).toEqual([true, true]);
  });

  it('are off in the settings again where Windows refuses them', async () => {
    const refusing: Registry = { ...registry, write: () => Promise.reject(new Error('Access is denied.')) };
    const { menu, changes, log } = open(refusing, sendToDir);
    menu.follow({ explorerMenu: true });
    await expect.poll(() => changes).toEqual([{ explorerMenu: false }]);
    expect(log.join()).toContain('Access is denied.');
    const noFolder = open(registry, join(sendToDir, 'missing'));
    noFolder.menu.follow({ explorerMenu: true });
    await expect.poll(() => noFolder.changes).toEqual([{ explorerMenu: false }]);
  });

  // Linkshot reads no texts from the registry of Windows.
  it('start the program with the path of the file or folder', async () => {
    const { menu } = open(memory, sendToDir);
    menu.follow({ explorerMenu: true });
    await expect.poll(() => existsSync(shortcut())).toBe(true);
    const command = String.raw`"C:\Program Files\Linkshot\Linkshot.exe" "--profile" "D:\a b" "--" "%1"`;
    for (const key of [FILE_KEY, FOLDER_KEY]) {
      expect(memory.values.get(`${key} -> `)).toBe('Share with Linkshot');
      expect(memory.values.get(`${key} -> Icon`)).toBe(PROGRAM);
      expect(memory.values.get(`${key}\\command -> `)).toBe(command);
    }
  });
});
