/** The capabilities of a host that has nothing but its page. */
import type { Capabilities } from '../../../src/ipc/protocol/state.ts';

export const BARE: Capabilities = {
  hotkey: false,
  tray: false,
  overlay: 'none',
  panels: false,
  folders: false,
  fileManager: false,
  tryOut: false,
  clipboard: 'page',
};
