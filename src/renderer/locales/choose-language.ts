/** Which language a page speaks, by the person's setting and the languages of the browser. Pure. */

import { LANGUAGES } from '../../common/languages.ts';
import type { Settings } from '../../ipc/protocol/settings.ts';
import type { Language } from './format.ts';

const languageOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';

/**
 * `system` follows the languages of the browser; what we do not speak becomes English. The tag keeps the region that the
 * browser names for that language.
 */
export const chooseLanguage = (
  setting: Settings['language'],
  preferred: readonly string[],
): { readonly language: Language; readonly tag: string } => {
  const spoken = preferred.flatMap((tag) => LANGUAGES.find((known) => known === languageOf(tag)) ?? [])[0];
  const language = setting === 'system' ? (spoken ?? 'en') : setting;
  return { language, tag: preferred.find((tag) => languageOf(tag) === language) ?? language };
};
