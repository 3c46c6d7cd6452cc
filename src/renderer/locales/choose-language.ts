/** Chooses the language of a page by the user's setting and the browser's languages. Pure. */

import { LANGUAGES } from '../../common/languages.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { Language } from './format.ts';

const languageOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';

/**
 * `system` follows the browser's languages, with English as the fallback. The tag keeps the browser's region for that
 * language.
 */
export const chooseLanguage = (
  setting: Settings['language'],
  preferred: readonly string[],
): { readonly language: Language; readonly tag: string } => {
  const spoken = preferred.flatMap((tag) => LANGUAGES.find((known) => known === languageOf(tag)) ?? [])[0];
  const language = setting === 'system' ? (spoken ?? 'en') : setting;
  return { language, tag: preferred.find((tag) => languageOf(tag) === language) ?? language };
};
