/** Hotkey commands that the engine offers to hosts. */
import type { Result } from '../../api/errors.ts';
import type { HotkeyAction } from '../../ipc/protocol/hotkeys.ts';

export interface HotkeysApi {
  /** Waits up to ten seconds for a press, which then has no other effect. */
  testHotkey(action: HotkeyAction, signal: AbortSignal): Promise<{ readonly heard: boolean }>;
  /** Registers all of them with the system again. */
  retryHotkeys(): Promise<void>;
  /**
   * Leaves the Print Screen key to Linkshot (only with the user's consent) or to the Snipping Tool again, then registers
   * all hotkeys again. Errors: COMMAND_INVALID where there is no Snipping Tool, APP_FAILED.
   */
  replaceSnippingTool(isOn: boolean): Promise<Result<void>>;
}
