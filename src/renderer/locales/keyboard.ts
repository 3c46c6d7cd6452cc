/** Keys in sentences as they stand on this computer's keyboard: what is pressed with Ctrl elsewhere is pressed with ⌘ on a Mac. */

export const IS_MAC = /mac/i.test(navigator.userAgent);

/** `Ctrl+K` and `Ctrl −` of a text; a Ctrl that stands alone is the key of that name, which a Mac has too. */
export const macKeys = (text: string): string => text.replace(/Ctrl(?:\+| (?=[+−]))(?=\S)/g, '⌘');

export const ownKeys = (text: string): string => (IS_MAC ? macKeys(text) : text);

/** All sentences of a catalogue that have nothing to fill in; a blank is filled with what is another person's word. */
export const withMacKeys = <T>(words: T): T => {
  if (typeof words === 'string') return macKeys(words) as T;
  if (typeof words !== 'object' || words === null) return words;
  if (Array.isArray(words)) return words.map(withMacKeys) as T;
  return Object.fromEntries(Object.entries(words).map(([name, value]) => [name, withMacKeys(value)])) as T;
};
