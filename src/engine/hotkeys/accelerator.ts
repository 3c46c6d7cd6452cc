/** Parses hotkeys in Electron's form, such as `CommandOrControl+Shift+X`, and normalises them; pure. */
import { err, failure, ok, type Result } from '../../api/errors.ts';

/** In the order in which they are written. `Super` is the Windows or Meta key; on macOS it is Command. */
const MODIFIERS = ['Control', 'Alt', 'Shift', 'Super'] as const;
export type Modifier = (typeof MODIFIERS)[number];

export interface Accelerator {
  readonly modifiers: readonly Modifier[];
  /** Electron's name: `A`, `7`, `F5`, `PrintScreen`, `num3`, `/`. */
  readonly key: string;
}

const NAMED_KEYS = [
  ...['Plus', 'Space', 'Tab', 'Capslock', 'Numlock', 'Scrolllock', 'Backspace', 'Delete', 'Insert', 'Return'],
  ...['Up', 'Down', 'Left', 'Right', 'Home', 'End', 'PageUp', 'PageDown', 'Escape', 'PrintScreen'],
  ...['VolumeUp', 'VolumeDown', 'VolumeMute'],
  ...['MediaNextTrack', 'MediaPreviousTrack', 'MediaStop', 'MediaPlayPause'],
  ...Array.from({ length: 10 }, (_, index) => `num${index}`),
  ...['numdec', 'numadd', 'numsub', 'nummult', 'numdiv'],
  ...Array.from({ length: 24 }, (_, index) => `F${index + 1}`),
];
const KEYS = new Map(NAMED_KEYS.map((name) => [name.toLowerCase(), name]));
const OTHER_NAMES: Readonly<Record<string, string>> = {
  enter: 'Return',
  esc: 'Escape',
  del: 'Delete',
  ins: 'Insert',
  prtsc: 'PrintScreen',
  prtscn: 'PrintScreen',
  print: 'PrintScreen',
};
/** Keys that type no text, so that they need no modifier. */
const WITHOUT_MODIFIER = /^(F\d+|PrintScreen|Volume\w+|Media\w+)$/;

const modifierOf = (part: string, isMac: boolean): Modifier | null => {
  switch (part) {
    case 'ctrl':
    case 'control':
      return 'Control';
    case 'commandorcontrol':
    case 'cmdorctrl':
      return isMac ? 'Super' : 'Control';
    case 'alt':
    case 'option':
      return 'Alt';
    case 'shift':
      return 'Shift';
    case 'super':
    case 'meta':
    case 'command':
    case 'cmd':
      return 'Super';
    default:
      return null;
  }
};

const keyOf = (part: string): string | null => {
  const lower = part.toLowerCase();
  const named = OTHER_NAMES[lower] ?? KEYS.get(lower);
  if (named) return named;
  // One character that a keyboard types without composing.
  return /^[!-~]$/.test(part) ? part.toUpperCase() : null;
};

/** Errors: HOTKEY_INVALID with the reason. */
export const parseAccelerator = (text: string, platform: string): Result<Accelerator> => {
  const invalid = (why: string) =>
    err(failure('HOTKEY_INVALID', `${text || 'Nothing'} is no hotkey: ${why}`, { params: { hotkey: text } }));
  // `Control++` means the key `+`.
  const parts = text
    .replace(/\+\+$/, '+Plus')
    .split('+')
    .map((part) => part.trim());
  const found = new Set<Modifier>();
  let key: string | null = null;
  for (const part of parts) {
    const modifier = modifierOf(part.toLowerCase(), platform === 'darwin');
    if (modifier) {
      found.add(modifier);
      continue;
    }
    if (key !== null) return invalid('it has more than one key besides Ctrl, Alt, Shift and the system key.');
    key = keyOf(part);
    if (key === null) return invalid(part ? `no key is called ${part}.` : 'a key is missing.');
  }
  if (key === null) return invalid('it needs one more key, such as a letter.');
  const modifiers = MODIFIERS.filter((modifier) => found.has(modifier));
  const isTyped = modifiers.every((modifier) => modifier === 'Shift') && !WITHOUT_MODIFIER.test(key);
  if (isTyped) return invalid('this key writes. Add Ctrl, Alt or the system key.');
  return ok({ modifiers, key });
};

/** The normalised form, which Electron understands too. */
export const formatAccelerator = ({ modifiers, key }: Accelerator): string => [...modifiers, key].join('+');
