/** Maps a hotkey to keys of an X keyboard; pure. */
import type { Accelerator, Modifier } from './accelerator.ts';

export interface XKeyboard {
  /** Of the first row of `symbols`. */
  readonly firstKeycode: number;
  /** The symbols of each key: for each layout without and with Shift. */
  readonly symbols: readonly (readonly number[])[];
  /** The keycodes of Shift, Lock, Control, Mod1 to Mod5. */
  readonly modifiers: readonly (readonly number[])[];
  /** The codes of all symbols by name. */
  readonly names: Readonly<Record<string, { readonly code: number }>>;
}

export interface Key {
  readonly keycode: number;
  readonly modifiers: number;
}

const SHIFT = 1;
const LOCK = 2;
const CONTROL = 4;

const SYMBOLS: Readonly<Record<string, string>> = {
  ...{ Capslock: 'XK_Caps_Lock', Numlock: 'XK_Num_Lock', Scrolllock: 'XK_Scroll_Lock', Backspace: 'XK_BackSpace' },
  ...{ PageUp: 'XK_Page_Up', PageDown: 'XK_Page_Down', PrintScreen: 'XK_Print' },
  ...{ numdec: 'XK_KP_Decimal', numadd: 'XK_KP_Add', numsub: 'XK_KP_Subtract' },
  ...{ nummult: 'XK_KP_Multiply', numdiv: 'XK_KP_Divide' },
};
/** Symbols of the extra keys (XF86). */
const MEDIA: Readonly<Record<string, number>> = {
  ...{ VolumeDown: 0x1008ff11, VolumeMute: 0x1008ff12, VolumeUp: 0x1008ff13, MediaPlayPause: 0x1008ff14 },
  ...{ MediaStop: 0x1008ff15, MediaPreviousTrack: 0x1008ff16, MediaNextTrack: 0x1008ff17 },
};

const symbolOf = (key: string, names: XKeyboard['names']): number | undefined => {
  if (key === 'Plus') return 0x2b;
  if (key === 'Space') return 0x20;
  // ASCII characters are their own symbols, letters in lower case.
  if (key.length === 1) return key.toLowerCase().charCodeAt(0);
  const name = SYMBOLS[key] ?? (key.startsWith('num') ? `XK_KP_${key.slice(3)}` : `XK_${key}`);
  return MEDIA[key] ?? names[name]?.code;
};

/** The modifier bits of these keys; 0: no such modifier. */
const bitsOf = ({ symbols, modifiers, firstKeycode, names }: XKeyboard, keys: readonly string[]): number => {
  const wanted = keys.map((key) => names[key]?.code);
  const isThis = (keycode: number) => symbols[keycode - firstKeycode]?.some((symbol) => wanted.includes(symbol));
  return modifiers.reduce((bits, keycodes, index) => (keycodes.some(isThis) ? bits | (1 << index) : bits), 0);
};

const modifierBits = (keyboard: XKeyboard, modifier: Modifier): number => {
  switch (modifier) {
    case 'Shift':
      return SHIFT;
    case 'Control':
      return CONTROL;
    case 'Alt':
      return bitsOf(keyboard, ['XK_Alt_L', 'XK_Alt_R']) || 1 << 3;
    case 'Super':
      return bitsOf(keyboard, ['XK_Super_L', 'XK_Super_R']) || 1 << 6;
  }
};

/** The bits of Caps Lock, Num Lock and Scroll Lock, which may be on at any press. */
export const lockBits = (keyboard: XKeyboard): number =>
  LOCK | bitsOf(keyboard, ['XK_Num_Lock']) | bitsOf(keyboard, ['XK_Scroll_Lock']);

/** All combinations of these bits, including 0. */
export const sumsOf = (bits: number): readonly number[] => {
  const sums: number[] = [];
  for (let sum = bits; sum > 0; sum = (sum - 1) & bits) sums.push(sum);
  return [...sums, 0];
};

/** The keys that produce this, in any layout; empty: this keyboard has no such key. */
export const keysOf = ({ key, modifiers }: Accelerator, keyboard: XKeyboard): readonly Key[] => {
  const symbol = symbolOf(key, keyboard.names);
  const bits = modifiers.reduce((sum, modifier) => sum | modifierBits(keyboard, modifier), 0);
  return keyboard.symbols.flatMap((row, index) => {
    const column = symbol === undefined ? -1 : row.indexOf(symbol);
    if (column < 0) return [];
    // A symbol of the upper row needs Shift.
    return [{ keycode: keyboard.firstKeycode + index, modifiers: column % 2 === 1 ? bits | SHIFT : bits }];
  });
};
