/** Which presses of keys a recording may show, and by which names. */
import { describe, expect, it } from 'vitest';
import { shownKeys } from '../../../src/engine/recording/input-display/key-names.ts';
import type { XKeyboard } from '../../../src/engine/x11/x11-keyboard.ts';

const [SHIFT, LOCK, CONTROL, ALT, NUM, SUPER, LEVEL3] = [1, 2, 4, 8, 16, 64, 128];
const NAMES: Readonly<Record<string, { readonly code: number }>> = {
  ...{ XK_Shift_L: { code: 0xffe1 }, XK_Control_L: { code: 0xffe3 }, XK_Alt_L: { code: 0xffe9 } },
  ...{ XK_Super_L: { code: 0xffeb }, XK_Num_Lock: { code: 0xff7f }, XK_ISO_Level3_Shift: { code: 0xfe03 } },
};
/** A key in the layouts English and Russian. */
const ROWS: Readonly<Record<string, readonly number[]>> = {
  a: [0x61, 0x41, 0x6c6, 0x6e6],
  one: [0x31, 0x21, 0x31, 0x21],
  space: [0x20, 0x20],
  umlaut: [0xe4, 0xc4],
  italian: [0xe8, 0xe9, 0xe8, 0xe9, 0x5b, 0x7b],
  cyrillic: [0x6d3, 0x6f3],
  euro: [0x010020ac],
  keypad: [0xff96, 0xffb4],
  enter: [0xff0d],
  escape: [0xff1b],
  left: [0xff51],
  f12: [0xffc9],
  shift: [0xffe1],
  control: [0xffe3],
  alt: [0xffe9],
  num: [0xff7f],
  super: [0xffeb],
  level3: [0xfe03],
};
const FIRST = 8;
const keycode = (name: string): number => FIRST + Object.keys(ROWS).indexOf(name);
const KEYBOARD: XKeyboard = {
  firstKeycode: FIRST,
  symbols: Object.values(ROWS),
  modifiers: ['shift', null, 'control', 'alt', 'num', null, 'super', 'level3'].map((name) =>
    name === null ? [] : [keycode(name)],
  ),
  names: NAMES,
};
const shown = (name: string, state: number) => shownKeys(KEYBOARD, keycode(name), state)?.join('+') ?? null;

describe('a press of a key', () => {
  it('that types a character is never shown, with no lock, Shift or AltGr', () => {
    const typing = [0, SHIFT, LOCK, NUM, LEVEL3, SHIFT | LOCK, SHIFT | NUM | LEVEL3, LOCK | NUM];
    for (const name of ['a', 'one', 'space', 'umlaut', 'cyrillic', 'euro', 'keypad'])
      for (const state of typing) expect([name, state, shown(name, state)]).toEqual([name, state, null]);
    // Some layouts set the bit of Alt too.
    expect(shown('a', LEVEL3 | ALT)).toBeNull();
  });

  it('of a modifier alone is not shown', () => {
    for (const name of ['shift', 'control', 'alt', 'super', 'level3', 'num']) expect(shown(name, CONTROL)).toBeNull();
  });

  it.each([
    ['a', CONTROL, 'Ctrl+A'],
    ['a', CONTROL | SHIFT | NUM, 'Ctrl+Shift+A'],
    ['one', SUPER | ALT, 'Alt+Super+1'],
    ['space', CONTROL, 'Ctrl+Space'],
    ['italian', CONTROL, 'Ctrl+È'],
    ['cyrillic', CONTROL, 'Ctrl+С'],
    ['enter', 0, 'Enter'],
    ['enter', SHIFT | LOCK, 'Shift+Enter'],
    ['escape', NUM, 'Esc'],
    ['left', CONTROL | ALT, 'Ctrl+Alt+←'],
    ['f12', 0, 'F12'],
  ] as const)('of %s with the modifiers %i is shown as %s', (name, state, words) => {
    expect(shown(name, state)).toBe(words);
  });
});
