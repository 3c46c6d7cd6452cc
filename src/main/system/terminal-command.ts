/**
 * Makes the `linkshot` command available in consoles of Windows that are opened from then on, if the user wants it, by
 * adding its folder to the user's PATH. At the start the setting follows the PATH, which the installer may have
 * changed; afterwards the PATH follows the setting. Also parses the switches with which the installer and the
 * uninstaller change the PATH.
 */
import { win32 } from 'node:path';
import type { Settings } from '../../ipc/protocol/settings.ts';
import { portableProgram } from './staying-program.ts';
import type { UserPath } from './user-path.ts';

export interface TerminalCommandDeps {
  /** Rejects where the PATH cannot be read. */
  readonly openUserPath: () => Promise<UserPath>;
  /** The folder of `linkshot.cmd`. */
  readonly folder: string;
  readonly updateSettings: (change: Partial<Settings>) => unknown;
  readonly log: (line: string) => void;
}

export interface TerminalCommand {
  follow(settings: Pick<Settings, 'terminalCommand'>): void;
}

/** Null: this start has no such folder, or one that goes with it, as that of a portable program. */
export const commandFolderOf = (host: {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  readonly resourcesDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): string | null =>
  host.platform === 'win32' && host.isPackaged && portableProgram(host.environment) === null
    ? win32.join(host.resourcesDir, 'bin')
    : null;

const SWITCHES = { '--add-to-path': 'add', '--remove-from-path': 'remove' } as const;

/** What the installer and the uninstaller ask for; null: a normal start. The switch counts only as the first word. */
export const pathChangeIn = ([first = '']: readonly string[]): 'add' | 'remove' | null =>
  Object.hasOwn(SWITCHES, first) ? SWITCHES[first as keyof typeof SWITCHES] : null;

export const createTerminalCommand = (deps: TerminalCommandDeps): TerminalCommand => {
  const { openUserPath, folder, updateSettings, log } = deps;
  let last: boolean | null = null;
  let turn: Promise<void> = Promise.resolve();

  const readFirst = async (isOn: boolean): Promise<void> => {
    const isThere = (await openUserPath()).has(folder);
    if (isThere === isOn) return;
    last = isThere;
    updateSettings({ terminalCommand: isThere });
  };
  const apply = async (isOn: boolean): Promise<void> => {
    const path = await openUserPath();
    if (isOn) path.add(folder);
    else path.remove(folder);
  };

  return {
    follow({ terminalCommand: isOn }) {
      const before = last;
      if (before === isOn) return;
      last = isOn;
      turn = turn
        .then(() => (before === null ? readFirst(isOn) : apply(isOn)))
        .catch((error: Error) => {
          if (before === null) return log(`The PATH could not be read: ${error.message}`);
          log(`The PATH could not be changed: ${error.message}`);
          last = before;
          updateSettings({ terminalCommand: before });
        });
    },
  };
};
