/** Registers global hotkeys through Electron, on Wayland through xdg-desktop-portal. */
import { globalShortcut } from 'electron';
import { err, failure, ok } from '../../api/errors.ts';
import type { HotkeyListener } from '../../engine/ports.ts';

/** `portal`: on Wayland the desktop itself listens, and asks the user first. */
export const createElectronHotkeys = (way: 'electron' | 'portal'): HotkeyListener => ({
  way,
  async listen(accelerator, press) {
    const params = { hotkey: accelerator };
    try {
      if (!globalShortcut.register(accelerator, press)) {
        const detail = `Another program is using ${accelerator}. Close it, or choose another hotkey.`;
        return err(failure('HOTKEY_TAKEN', detail, { params }));
      }
    } catch {
      // Electron throws for unknown key names.
      return err(failure('HOTKEY_INVALID', `${accelerator} is not a valid hotkey. Choose another one.`, { params }));
    }
    return ok(() => globalShortcut.unregister(accelerator));
  },
});
