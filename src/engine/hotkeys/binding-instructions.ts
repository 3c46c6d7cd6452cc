/**
 * Builds the command, and where to enter it, by which the user can bind a key on a desktop where the app cannot listen
 * to keys itself. Pure.
 */
import type { Hotkeys } from '../../ipc/protocol/hotkeys.ts';
import { desktopName, type Environment, isWaylandSession } from '../wayland/session-environment.ts';
import { type Modifier, parseAccelerator } from './accelerator.ts';

type Recipe = Pick<Hotkeys, 'command' | 'commandPlace'>;

const COMMAND = 'linkshot capture --select';

/** `accelerator`: the wanted hotkey; null: none. */
export const bindingInstructions = (environment: Environment, accelerator: string | null): Recipe => {
  if (!isWaylandSession(environment)) return { command: COMMAND, commandPlace: 'settings' };
  switch (desktopName(environment)) {
    case 'Sway':
      return { command: `bindsym ${swayKeys(accelerator)} exec ${COMMAND}`, commandPlace: 'sway' };
    case 'GNOME':
      return { command: COMMAND, commandPlace: 'gnome' };
    case 'KDE Plasma':
      return { command: COMMAND, commandPlace: 'kde' };
    default:
      return { command: COMMAND, commandPlace: 'settings' };
  }
};

const MODIFIERS: Readonly<Record<Modifier, string>> = { Control: 'Ctrl', Alt: 'Mod1', Shift: 'Shift', Super: 'Mod4' };
/** Names of X key symbols where they differ from ours. */
const KEYS: Readonly<Record<string, string>> = {
  ...{ PrintScreen: 'Print', PageUp: 'Prior', PageDown: 'Next', Backspace: 'BackSpace', Plus: 'plus', Space: 'space' },
};
const USUAL = 'Ctrl+Print';

/** Sway's form of a hotkey; the usual one where it has no name for the wanted key. */
const swayKeys = (accelerator: string | null): string => {
  const parsed = accelerator === null ? null : parseAccelerator(accelerator, 'linux');
  if (!parsed?.ok) return USUAL;
  const { modifiers, key } = parsed.value;
  const name = KEYS[key] ?? (/^[A-Z]$/.test(key) ? key.toLowerCase() : key);
  if (!/^(\w|F\d+|[A-Z]\w+|plus|space)$/.test(name) || /^(num|Volume|Media)/.test(name)) return USUAL;
  return [...modifiers.map((modifier) => MODIFIERS[modifier]), name].join('+');
};
