/**
 * Loads the texts of a language, which are a separate chunk of the build. On macOS the shortcuts in texts without
 * parameters are written with Mac keys (⌘).
 */

import type { LANGUAGES } from '../../common/ui-languages.ts';
import { IS_MAC } from '../keyboard/key-events.ts';
import type { Messages } from './en.ts';
import { withMacKeys } from './platform-keys.ts';

export type LoadCatalogue = (language: (typeof LANGUAGES)[number]) => Promise<Messages>;

const SOURCES: Readonly<Record<(typeof LANGUAGES)[number], () => Promise<Messages>>> = {
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
};

/** Rejects if it cannot be loaded. */
export const loadCatalogue: LoadCatalogue = async (language) => {
  const words = await SOURCES[language]();
  return IS_MAC ? withMacKeys(words) : words;
};
