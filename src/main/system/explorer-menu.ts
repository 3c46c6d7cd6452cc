/**
 * Adds Linkshot to the file manager of Windows if the user wants it: an entry in the context menu of files and folders,
 * and one in "Send to". On Windows 11 the context menu shows it under "Show more options".
 */
import { join } from 'node:path';
import type { Shell } from 'electron';
import { rm } from '../../base/node/retrying-fs.ts';
import type { Registry } from '../../base/node/windows-registry.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { DesktopTexts } from '../desktop-texts.ts';
import { windowsCommandLine } from './quote-windows-arguments.ts';
import type { Launch } from './start-at-login.ts';

export interface ExplorerMenuDeps {
  readonly registry: Registry;
  readonly shell: Pick<Shell, 'writeShortcutLink'>;
  /** The folder of the shortcuts in "Send to". */
  readonly sendToDir: string;
  readonly launch: Launch;
  readonly messages: () => DesktopTexts;
  readonly updateSettings: (change: Partial<Settings>) => unknown;
  readonly log: (line: string) => void;
}

export interface ExplorerMenu {
  follow(settings: Pick<Settings, 'explorerMenu'>): void;
}

/** Of the user, not of the computer. The uninstaller of packaging/installer.nsh removes the same. */
export const EXPLORER_KEYS = ['*', 'Directory'].map((kind) => `HKCU\\Software\\Classes\\${kind}\\shell\\Linkshot`);
export const SEND_TO_SHORTCUT = 'Linkshot.lnk';

/** The entries follow the setting and the language; at the start they are written again, as the program may have moved. */
export const createExplorerMenu = (deps: ExplorerMenuDeps): ExplorerMenu => {
  const { registry, shell, sendToDir, launch, messages, updateSettings, log } = deps;
  const { program, args } = launch;
  const shortcut = join(sendToDir, SEND_TO_SHORTCUT);
  let last: string | null = null;
  let turn: Promise<void> = Promise.resolve();

  const write = async (label: string): Promise<void> => {
    for (const key of EXPLORER_KEYS) {
      await registry.write(key, null, label);
      await registry.write(key, 'Icon', program);
      await registry.write(`${key}\\command`, null, windowsCommandLine([program, ...args, '--', '%1']));
    }
    // Windows appends the paths.
    const target = { target: program, args: windowsCommandLine([...args, '--']), description: label };
    if (!shell.writeShortcutLink(shortcut, 'replace', target) && !shell.writeShortcutLink(shortcut, 'create', target))
      throw new Error(`${shortcut} cannot be written`);
  };
  const remove = async (): Promise<void> => {
    for (const key of EXPLORER_KEYS) await registry.removeKey(key);
    await rm(shortcut, { force: true });
  };

  return {
    follow({ explorerMenu: isOn }) {
      const before = last;
      const label = isOn ? messages().shareFile : '';
      last = label;
      if (before === label || (before === null && !isOn)) return;
      turn = turn
        .then(() => (isOn ? write(label) : remove()))
        .catch((error: Error) => {
          log(`The entries of the file manager could not be changed: ${error.message}`);
          if (isOn) updateSettings({ explorerMenu: false });
        });
    },
  };
};
