/**
 * Starts the app, hidden, when the user logs in: by the login item of Windows and macOS, and by an autostart file on
 * Linux. If the system's entry is missing when the app starts, the setting is turned off; afterwards the entry follows
 * the setting.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';
import { readFileSync, renameSync, rmSync, writeFileSync } from '../../base/node/retrying-fs.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { Start } from './launch-args.ts';

/** How to start the app again: the program, and what precedes its own arguments. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
}

/** The system's entry for programs that start at login. */
export interface LoginEntry {
  isSet(): boolean;
  set(): void;
  remove(): void;
}

export const HIDDEN = '--hidden';

/** For Windows and macOS; the program and its arguments concern Windows alone. */
export const createLoginItem = (
  app: Pick<App, 'setLoginItemSettings' | 'getLoginItemSettings'>,
  { program, args }: Launch,
): LoginEntry => {
  // Electron quotes the words that it writes; it looks for the program by what precedes the first space outside quotes.
  const entry = { path: /\s/.test(program) ? `"${program}"` : program, args: [...args, HIDDEN] };
  return {
    isSet() {
      // Windows keeps the entry of a program that the user turned off in its settings or the Task Manager.
      const { openAtLogin, executableWillLaunchAtLogin = true } = app.getLoginItemSettings(entry);
      return openAtLogin && executableWillLaunchAtLogin;
    },
    set: () => app.setLoginItemSettings({ ...entry, openAtLogin: true }),
    remove: () => app.setLoginItemSettings({ ...entry, openAtLogin: false }),
  };
};

/** Whether this start shows no window. macOS reports it instead of passing arguments; only once the app is ready. */
export const isHidden = (
  start: Pick<Start, 'isHidden'>,
  platform: NodeJS.Platform,
  app: Pick<App, 'getLoginItemSettings'>,
): boolean => start.isHidden || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);

export interface StartAtLoginDeps {
  readonly entry: LoginEntry;
  readonly updateSettings: (change: Partial<Settings>) => unknown;
  readonly log: (line: string) => void;
}

export interface StartAtLogin {
  follow(settings: Pick<Settings, 'startAtLogin'>): void;
}

/**
 * A user who removed the entry in the system's settings has disabled it: at the start a missing entry turns the setting
 * off, afterwards the system follows the setting.
 */
export const followStartAtLogin = ({ entry, updateSettings, log }: StartAtLoginDeps): StartAtLogin => {
  let last: boolean | null = null;
  const apply = (isWanted: boolean): void => {
    try {
      if (isWanted) entry.set();
      else entry.remove();
    } catch (error) {
      log(`Starting at login could not be changed: ${(error as Error).message}`);
      updateSettings({ startAtLogin: entry.isSet() });
    }
  };
  return {
    follow({ startAtLogin }) {
      const before = last;
      last = startAtLogin;
      if (before === null) {
        if (startAtLogin && !entry.isSet()) updateSettings({ startAtLogin: false });
        // On Linux the program may have moved since; for Windows, one that has moved has no entry.
        else if (startAtLogin) apply(true);
      } else if (before !== startAtLogin) apply(startAtLogin);
    },
  };
};

// The autostart entry of a Linux desktop: a file in `autostart` of the user's configuration folder.

/** Quotes a word of `Exec` by the Desktop Entry Specification, with `%` doubled. */
const quoted = (word: string): string =>
  `"${word
    .replaceAll(/["`$\\]/g, (special) => `\\${special}`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`;

const entryOf = ({ program, args }: Launch): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Linkshot',
    'Comment=Press the hotkey, get the link',
    'Comment[ru]=Нажмите клавишу — получите ссылку',
    `Exec=${[program, ...args, '--hidden'].map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');

/** Desktops disable an entry without removing it. */
const isOff = (entry: string): boolean => /^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(entry);

/** `configDir`: XDG_CONFIG_HOME, or `.config` of the user's home. */
export const createAutostart = (configDir: string, launch: Launch): LoginEntry => {
  const folder = join(configDir, 'autostart');
  const path = join(folder, 'linkshot.desktop');
  return {
    isSet() {
      try {
        return !isOff(readFileSync(path, 'utf8'));
      } catch {
        return false;
      }
    },
    set() {
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${path}.part`, entryOf(launch));
      renameSync(`${path}.part`, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
};
