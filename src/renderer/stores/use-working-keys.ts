/** Hook for the keys of a hotkey as the system accepted them. */
import type { HotkeyAction } from '../../ipc/protocol/hotkeys.ts';
import { workingKeysOf } from '../keyboard/accelerator.ts';
import { IS_MAC } from '../keyboard/key-events.ts';
import { useApp } from './use-app-stores.tsx';

/** Null: the action has no hotkey, or the system did not accept it. */
export const useWorkingKeys = (action: HotkeyAction): readonly string[] | null => {
  const hotkey = useApp(({ hotkeys }) => hotkeys.keys.find((known) => known.action === action));
  return hotkey ? workingKeysOf(hotkey, IS_MAC) : null;
};
