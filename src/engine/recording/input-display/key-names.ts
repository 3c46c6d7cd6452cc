/**
 * Decides which presses of an X11 keyboard may be shown, and names their keys: combinations with Ctrl, Alt or Super,
 * and keys that type nothing. Typed characters are never shown, because they may be a password. Pure.
 */
import { bitsOf, lockBits, modifierBits, SHIFT, type XKeyboard } from '../../x11/x11-keyboard.ts';

/** Names of symbols that type nothing. */
const SPECIAL: Readonly<Record<number, string>> = {
  ...{ 65293: 'Enter', 65421: 'Enter', 65307: 'Esc', 65289: 'Tab', 65288: 'Backspace', 65535: 'Delete' },
  ...{ 65379: 'Insert', 65360: 'Home', 65367: 'End', 65365: 'Page Up', 65366: 'Page Down' },
  ...{ 65361: '←', 65362: '↑', 65363: '→', 65364: '↓', 65377: 'Print', 65299: 'Pause', 65383: 'Menu' },
};
const F1 = 0xffbe;
const F24 = 0xffd5;
const SPACE = 0x20;
const UNICODE = 0x0100_0000;
/** Symbols of Cyrillic letters, whose low byte is their code in KOI8-R. */
const CYRILLIC = { first: 0x6c0, last: 0x6ff } as const;
const SHOWN_MODIFIERS = [
  ['Control', 'Ctrl'],
  ['Alt', 'Alt'],
  ['Super', 'Super'],
] as const;

/** The names, modifiers first; null: this press is not shown. `state`: the modifiers of its event. */
export const shownKeys = (keyboard: XKeyboard, keycode: number, state: number): readonly string[] | null => {
  const symbols = keyboard.symbols[keycode - keyboard.firstKeycode] ?? [];
  const locks = lockBits(keyboard);
  const typing = bitsOf(keyboard, ['XK_ISO_Level3_Shift', 'XK_Mode_switch', 'XK_ISO_Level5_Shift']);
  const held = SHOWN_MODIFIERS.flatMap(([modifier, name]) =>
    state & modifierBits(keyboard, modifier) & ~locks ? [name] : [],
  );
  const shift = state & SHIFT ? ['Shift'] : [];
  const special = specialName(symbols[0]);
  if (special !== null) return [...held, ...shift, special];
  // With AltGr a key types another character.
  if (held.length === 0 || (state & typing) !== 0) return null;
  const character = characterName(symbols);
  return character === null ? null : [...held, ...shift, character];
};

const specialName = (symbol = 0): string | null =>
  symbol >= F1 && symbol <= F24 ? `F${symbol - F1 + 1}` : (SPECIAL[symbol] ?? null);

const isLatin = (symbol: number): boolean => symbol > SPACE && symbol <= 0xff;

/**
 * The Latin character of a key without Shift in one of two layouts, as on the key itself, else what the first layout
 * has. Each layout has two columns.
 */
const characterName = ([first = 0, , second = 0]: readonly number[]): string | null => {
  if (first === SPACE) return 'Space';
  const character = characterOf(!isLatin(first) && isLatin(second) ? second : first);
  return character === null ? null : character.toLocaleUpperCase('en');
};

const characterOf = (symbol: number): string | null => {
  if ((symbol > SPACE && symbol < 0x7f) || (symbol > 0xa0 && symbol <= 0xff)) return String.fromCodePoint(symbol);
  if (symbol > UNICODE && symbol <= UNICODE + 0x10_ffff) return String.fromCodePoint(symbol - UNICODE);
  if (symbol < CYRILLIC.first || symbol > CYRILLIC.last) return null;
  return new TextDecoder('koi8-r').decode(Uint8Array.of(symbol & 0xff));
};
