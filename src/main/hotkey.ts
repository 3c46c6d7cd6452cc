/** The global hotkey. It follows what is in effect; one that another program holds is told, and the app goes on without it. */
import { globalShortcut } from 'electron';
import { type Failure, failure } from '../contract/errors.ts';
import type { AppState } from '../contract/state.ts';

export interface Hotkey {
  follow(state: Pick<AppState, 'effective'>): void;
  close(): void;
}

export interface HotkeyDeps {
  readonly press: () => void;
  /** It cannot be used: HOTKEY_TAKEN. */
  readonly onTaken: (failure: Failure) => void;
  /** It can be used, or none is wanted. */
  readonly onFree: () => void;
}

export const createHotkey = ({ press, onTaken, onFree }: HotkeyDeps): Hotkey => {
  let current: string | null = null;
  let isFollowing = false;
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
    follow: ({ effective: { hotkey } }) => {
      if (hotkey === current && isFollowing) return;
      isFollowing = true;
      release();
      current = hotkey;
      if (hotkey === null || register(hotkey)) return onFree();
      onTaken(failure('HOTKEY_TAKEN', `The hotkey ${hotkey} is not free or not valid.`, { params: { hotkey } }));
    },
    close: release,
  };
};
