/** Hotkey commands that the engine offers to hosts. */
import type { HotkeyAction } from '../../ipc/protocol/hotkeys.ts';

export interface HotkeysApi {
  /** Waits up to ten seconds for a press, which then has no other effect. */
  testHotkey(action: HotkeyAction, signal: AbortSignal): Promise<{ readonly heard: boolean }>;
  /** Registers all of them with the system again. */
  retryHotkeys(): Promise<void>;
}
