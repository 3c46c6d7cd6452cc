/**
 * Commands of the global hotkeys: test one, register them again, set or remove a custom shortcut in GNOME, and give the
 * Print Screen key to Linkshot or back to the Windows Snipping Tool.
 */
import Type from 'typebox';
import { HotkeyAction } from '../hotkeys.ts';
import { type Command, None } from './command.ts';

export const hotkeyCommands = {
  /** Waits ten seconds for this hotkey; a press then proves that it works and does nothing else. */
  'hotkeys.test': {
    input: Type.Object({ action: HotkeyAction }),
    output: Type.Object({ heard: Type.Boolean() }),
    from: 'page',
  },
  /** Registers the hotkeys again, e.g. after the conflicting program was closed. */
  'hotkeys.retry': { input: None, output: None, from: 'page' },
  /**
   * GNOME: sets a custom shortcut with the hotkey of the region in the settings of the desktop, or removes it. A window
   * asks for it only when the user has agreed. Errors: COMMAND_INVALID elsewhere, HOTKEY_TAKEN, APP_FAILED.
   */
  'hotkeys.setShortcut': { input: Type.Object({ isOn: Type.Boolean() }), output: None, from: 'page' },
  /**
   * Windows: leaves the Print Screen key to Linkshot, or to the Snipping Tool as before, and registers the hotkeys
   * again. A window asks for it only when the user has agreed. Errors: COMMAND_INVALID elsewhere, APP_FAILED where
   * Windows refuses.
   */
  'hotkeys.replaceSnippingTool': { input: Type.Object({ isOn: Type.Boolean() }), output: None, from: 'page' },
} as const satisfies Record<string, Command>;
