/** Hook for the keys of a hotkey as the system accepted them. */
import type { HotkeyAction } from '../../ipc/protocol/hotkeys.ts';
import { useApp } from '../stores/use-app-stores.tsx';
import { workingKeysOf } from './accelerator.ts';
import { IS_MAC } from './key-events.ts';

/** Null: the action has no hotkey, or the system did not accept it. */
export const useWorkingKeys = (action: HotkeyAction): readonly string[] | null => {
  const hotkey = useApp(({ hotkeys }) => hotkeys.keys.find((known) => known.action === action));
  return hotkey ? workingKeysOf(hotkey, IS_MAC) : null;
};
