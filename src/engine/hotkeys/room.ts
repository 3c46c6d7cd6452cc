/** The room of the global hotkeys: which are asked for, which are heard. */
import { HOTKEY_ACTIONS, type Hotkeys } from '../../contract/hotkeys.ts';
import type { HotkeyListener } from '../ports.ts';
import type { HotkeyDoor } from './door.ts';

export interface HotkeyRoom {
  state(): Hotkeys;
  readonly commands: HotkeyDoor;
}

export interface HotkeyDeps {
  readonly listener: HotkeyListener | null;
  readonly onChange: () => void;
}

export const openHotkeyRoom = ({ listener }: HotkeyDeps): HotkeyRoom => ({
  state: () => ({
    way: listener?.way ?? 'none',
    keys: HOTKEY_ACTIONS.map((action) => ({
      action,
      accelerator: null,
      state: 'off',
      pressedAt: null,
      failure: null,
    })),
    command: 'linkshot capture --select',
  }),
  commands: { testHotkey: async () => ({ heard: false }), retryHotkeys: async () => {} },
});
