/** Capabilities of a host that has only its page. */
import type { Capabilities } from '../../../src/ipc/protocol/app-state.ts';

export const BARE: Capabilities = {
  hotkey: false,
  tray: false,
  overlay: 'none',
  windows: true,
  recording: true,
  inputDisplay: true,
  panels: false,
  pins: false,
  folders: false,
  fileManager: false,
  explorerMenu: false,
  terminalCommand: false,
  tryOut: false,
  clipboard: 'page',
};
