/** The global hotkey. It follows the settings; one that another program holds is told, and the app goes on without it. */
import { globalShortcut } from 'electron';
import type { AppState } from '../contract/state.ts';

export interface Hotkey {
  follow(state: Pick<AppState, 'settings' | 'connection'>): void;
  close(): void;
}

/** The setting wins; else the account's own (API document, `user.captureHotkey`). */
const wanted = ({ settings, connection }: Pick<AppState, 'settings' | 'connection'>): string | null => {
  if (settings.hotkey !== null) return settings.hotkey;
  const account = connection.state === 'none' ? null : connection.account;
  return account?.user.captureHotkey || null;
};

export const createHotkey = (press: () => void, log: (line: string) => void): Hotkey => {
  let current: string | null = null;
  const release = (): void => {
    if (current !== null && globalShortcut.isRegistered(current)) globalShortcut.unregister(current);
  };
  const register = (accelerator: string): boolean => {
    try {
      return globalShortcut.register(accelerator, press);
    } catch {
      // Electron throws for words it does not know.
      return false;
    }
  };
  return {
    follow: (state) => {
      const next = wanted(state);
      if (next === current) return;
      release();
      current = next;
      if (next !== null && !register(next))
        log(`The hotkey ${next} is not free or not valid. Choose another one in the settings.`);
    },
    close: release,
  };
};
