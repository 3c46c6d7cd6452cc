/** Reads the keys of an X server: the symbols of each key, and which bits of a key event belong to which modifier. */
import type { XConnection } from './x11-connection.ts';

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

export const SHIFT = 1;
const LOCK = 2;
const CONTROL = 4;

export const readKeyboard = async (x: XConnection): Promise<XKeyboard> => {
  const { min_keycode: firstKeycode, max_keycode: last } = x.display;
  const [symbols, modifiers] = await Promise.all([
    x.ask<readonly (readonly number[])[]>((client, answer) =>
      client.GetKeyboardMapping(firstKeycode, last - firstKeycode + 1, answer),
    ),
    x.ask<readonly (readonly number[])[]>((client, answer) => client.GetModifierMapping(answer)),
  ]);
  const { default: x11 } = await import('x11');
  return { firstKeycode, symbols, modifiers, names: x11.keySyms };
};

/** The modifier bits of these keys; 0: no such modifier. */
export const bitsOf = ({ symbols, modifiers, firstKeycode, names }: XKeyboard, keys: readonly string[]): number => {
  const wanted = keys.map((key) => names[key]?.code);
  const isThis = (keycode: number) => symbols[keycode - firstKeycode]?.some((symbol) => wanted.includes(symbol));
  return modifiers.reduce((bits, keycodes, index) => (keycodes.some(isThis) ? bits | (1 << index) : bits), 0);
};

export const modifierBits = (keyboard: XKeyboard, modifier: 'Shift' | 'Control' | 'Alt' | 'Super'): number => {
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
