/**
 * Handles hotkeys in Electron's accelerator format, such as `Ctrl+Shift+X`: reads them from key events, labels their
 * keys, compares them, and suggests alternatives. Pure.
 */

import type { Hotkey, HotkeyAction } from '../../ipc/protocol/hotkeys.ts';

export type Pressed =
  /** Modifiers only: an incomplete combination. */
  | { readonly kind: 'part'; readonly keys: readonly string[] }
  | { readonly kind: 'whole'; readonly accelerator: string }
  /** The key is needed for typing, so it requires a modifier. */
  | { readonly kind: 'needs-modifier' }
  | { readonly kind: 'unknown' };

type KeyPress = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>;

const NAMED: Readonly<Record<string, string>> = {
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Enter: 'Return',
  NumpadEnter: 'Return',
  Space: 'Space',
  Tab: 'Tab',
  Backspace: 'Backspace',
  Delete: 'Delete',
  Insert: 'Insert',
  Home: 'Home',
  End: 'End',
  PageUp: 'PageUp',
  PageDown: 'PageDown',
  Escape: 'Escape',
  PrintScreen: 'PrintScreen',
  Minus: '-',
  Equal: '=',
  BracketLeft: '[',
  BracketRight: ']',
  Backslash: '\\',
  Semicolon: ';',
  Quote: "'",
  Comma: ',',
  Period: '.',
  Slash: '/',
  Backquote: '`',
  NumpadAdd: 'numadd',
  NumpadSubtract: 'numsub',
  NumpadMultiply: 'nummult',
  NumpadDivide: 'numdiv',
  NumpadDecimal: 'numdec',
};

const MODIFIERS: ReadonlySet<string> = new Set(['Control', 'Alt', 'AltGraph', 'Shift', 'Meta', 'OS']);
/** Keys that do not type anything may be used without a modifier. */
const ALONE = /^(F\d{1,2}|PrintScreen)$/;

/**
 * Windows and X11 register a letter as the layout has it, macOS by the physical key. All others are read by the
 * physical key, also letters of layouts without Latin ones.
 */
const keyOf = ({ code, key }: KeyPress, isMac: boolean): string | null => {
  if (!isMac && /^[a-z]$/i.test(key)) return key.toUpperCase();
  const [, plain] = /^(?:Key|Digit)([A-Z0-9])$/.exec(code) ?? [];
  if (plain !== undefined) return plain;
  if (/^F([1-9]|1\d|2[0-4])$/.test(code)) return code;
  const [, digit] = /^Numpad(\d)$/.exec(code) ?? [];
  if (digit !== undefined) return `num${digit}`;
  return NAMED[code] ?? NAMED[key] ?? null;
};

const modifiersOf = ({ ctrlKey, altKey, shiftKey, metaKey }: KeyPress): string[] => [
  ...(ctrlKey ? ['Control'] : []),
  ...(altKey ? ['Alt'] : []),
  ...(shiftKey ? ['Shift'] : []),
  ...(metaKey ? ['Super'] : []),
];

export const readPress = (press: KeyPress, isMac: boolean): Pressed => {
  const modifiers = modifiersOf(press);
  if (MODIFIERS.has(press.key)) return { kind: 'part', keys: modifiers };
  const key = keyOf(press, isMac);
  if (key === null) return { kind: 'unknown' };
  const isHeld = press.ctrlKey || press.altKey || press.metaKey;
  if (!isHeld && !ALONE.test(key)) return { kind: 'needs-modifier' };
  return { kind: 'whole', accelerator: [...modifiers, key].join('+') };
};

const LABELS: Readonly<Record<string, string>> = {
  PrintScreen: 'PrtSc',
  Return: 'Enter',
  Escape: 'Esc',
  Up: '↑',
  Down: '↓',
  Left: '←',
  Right: '→',
  Plus: '+',
};

/** Key labels in the order of the accelerator. */
export const labelsOf = (accelerator: string, isMac: boolean): readonly string[] =>
  accelerator.split('+').map((part) => {
    if (part === 'CommandOrControl' || part === 'CmdOrCtrl') return isMac ? '⌘' : 'Ctrl';
    if (part === 'Super' || part === 'Meta' || part === 'Command') return isMac ? '⌘' : part;
    if (part === 'Control') return 'Ctrl';
    return LABELS[part] ?? part;
  });

/** The keys of a hotkey that the system accepted: those that the desktop bound, in its words, else the user's own. */
export const workingKeysOf = (
  { accelerator, state, bound }: Pick<Hotkey, 'accelerator' | 'state' | 'bound'>,
  isMac: boolean,
): readonly string[] | null => {
  if (accelerator === null || state !== 'asked') return null;
  return bound === null ? labelsOf(accelerator, isMac) : [bound];
};

const SUGGESTED: Readonly<Record<HotkeyAction, string>> = {
  region: 'X',
  window: 'A',
  screen: 'F',
  all: 'D',
  last: 'L',
  record: 'R',
};

/** Whether two accelerators are the same keys in different notations. */
export const isSameHotkey = (one: string | null, other: string | null, isMac: boolean): boolean => {
  if (one === null || other === null) return false;
  const [keys, others] = [one, other].map((accelerator) => labelsOf(accelerator, isMac).toSorted().join('+'));
  return keys?.toLowerCase() === others?.toLowerCase();
};

/**
 * A suggestion after a refused hotkey: Ctrl+Print Screen, otherwise Ctrl+Shift and a letter. `used`: accelerators of
 * other actions.
 */
export const alternativeTo = (
  accelerator: string | null,
  action: HotkeyAction,
  used: readonly (string | null)[],
): string | null => {
  const printScreen = accelerator?.includes('PrintScreen') ? ['Control+PrintScreen'] : [];
  const isFree = (wanted: string): boolean =>
    ![accelerator, ...used].some((known) => isSameHotkey(known, wanted, false));
  return [...printScreen, `Control+Shift+${SUGGESTED[action]}`].find(isFree) ?? null;
};
