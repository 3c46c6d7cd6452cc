/** Adapts shortcuts in texts to the platform: Ctrl becomes ⌘ on a Mac. */

import { IS_MAC } from '../keyboard/key-events.ts';

/** Replaces `Ctrl+K` and `Ctrl −`; Ctrl alone is the key of that name, which a Mac has, too. */
export const macKeys = (text: string): string => text.replace(/Ctrl(?:\+| (?=[+−]))(?=\S)/g, '⌘');

export const ownKeys = (text: string): string => (IS_MAC ? macKeys(text) : text);

/** Converts all texts without parameters; parameters contain user data. */
export const withMacKeys = <T>(words: T): T => {
  if (typeof words === 'string') return macKeys(words) as T;
  if (typeof words !== 'object' || words === null) return words;
  if (Array.isArray(words)) return words.map(withMacKeys) as T;
  return Object.fromEntries(Object.entries(words).map(([name, value]) => [name, withMacKeys(value)])) as T;
};
