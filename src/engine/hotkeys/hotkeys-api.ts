/** What hosts may ask about the global hotkeys. */
import type { HotkeyAction } from '../../ipc/protocol/hotkeys.ts';

export interface HotkeysApi {
  /** Waits ten seconds for a press, which then does nothing else. */
  testHotkey(action: HotkeyAction, signal: AbortSignal): Promise<{ readonly heard: boolean }>;
  /** Asks the system once more for all of them. */
  retryHotkeys(): Promise<void>;
}
