/** Starts the app, hidden, when the person logs in. Promise: the setting says what the system does. */
import type { App } from 'electron';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { Start } from './launch-args.ts';

/** How the app is started again: the program, and what comes before its own arguments. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
}

/** What the system starts at login. */
export interface LoginEntry {
  isSet(): boolean;
  set(): void;
  remove(): void;
}

const HIDDEN = '--hidden';

/** Of Windows and macOS. */
export const createLoginItem = (
  app: Pick<App, 'setLoginItemSettings' | 'getLoginItemSettings'>,
  { program, args }: Launch,
): LoginEntry => {
  const entry = { path: program, args: [...args, HIDDEN] };
  return {
    isSet: () => app.getLoginItemSettings(entry).openAtLogin,
    set: () => app.setLoginItemSettings({ ...entry, openAtLogin: true }),
    remove: () => app.setLoginItemSettings({ ...entry, openAtLogin: false }),
  };
};

/** Whether this start shows no window. macOS tells it instead of passing arguments; only once the app is ready. */
export const isHidden = (
  start: Pick<Start, 'isHidden'>,
  platform: NodeJS.Platform,
  app: Pick<App, 'getLoginItemSettings'>,
): boolean => start.isHidden || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);

export interface LoginDeps {
  readonly entry: LoginEntry;
  readonly updateSettings: (change: Partial<Settings>) => unknown;
  readonly log: (line: string) => void;
}

export interface Login {
  follow(settings: Pick<Settings, 'startAtLogin'>): void;
}

/**
 * A person who took the entry away in the settings of the system has turned it off: at the start the setting follows the
 * system, from then on the system follows the setting.
 */
export const createLogin = ({ entry, updateSettings, log }: LoginDeps): Login => {
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
        // The program may have moved since.
        else if (startAtLogin) apply(true);
      } else if (before !== startAtLogin) apply(startAtLogin);
    },
  };
};
