/**
 * Returns the instructions for binding a key by hand on a desktop where the app cannot register hotkeys: the command,
 * and the place where the user enters it. Also returns this command for the current launcher and profile. Pure.
 */
import type { Hotkeys } from '../../ipc/protocol/hotkeys.ts';
import { desktopName, type Environment, isWaylandSession } from '../wayland/session-environment.ts';
import { type Modifier, parseAccelerator } from './accelerator.ts';
import { keysymName } from './keysym-names.ts';

type Recipe = Pick<Hotkeys, 'command' | 'commandPlace'>;

const COMMAND = 'linkshot capture --select';

/** The command with this launcher and this profile, for a shell. */
export const selectCommand = ({
  launcher,
  profileDir,
}: {
  readonly launcher?: string;
  readonly profileDir: string;
}): string => `${launcher ? shellWord(launcher) : 'linkshot'} capture --select --profile ${shellWord(profileDir)}`;

const shellWord = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

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
const USUAL = 'Ctrl+Print';

/** Sway's form of a hotkey; the usual one where none is wanted. */
const swayKeys = (accelerator: string | null): string => {
  const parsed = accelerator === null ? null : parseAccelerator(accelerator, 'linux');
  if (!parsed?.ok) return USUAL;
  const { modifiers, key } = parsed.value;
  return [...modifiers.map((modifier) => MODIFIERS[modifier]), keysymName(key)].join('+');
};
