/** The chosen language for every part of the window: its sentences and its formats. */

import { createContext, type ReactNode, use, useMemo } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import type { Settings } from '../../contract/app/settings.ts';
import type { Failure } from '../../contract/errors.ts';
import { en, type Messages } from './en.ts';
import { describeFailure, type ErrorText } from './errors.ts';
import { createFormat, type Format, type Language } from './format.ts';
import { IS_MAC, withMacKeys } from './keyboard.ts';
import { ru } from './ru.ts';

const CATALOGUES: Record<Language, Messages> = IS_MAC ? { en: withMacKeys(en), ru: withMacKeys(ru) } : { en, ru };

export interface Locale {
  readonly language: Language;
  /** The catalogue. */
  readonly t: Messages;
  readonly format: Format;
  readonly failure: (failure: Failure) => ErrorText;
}

/** `tag` names the region whose way of writing dates is followed; it is the language itself where none is known. */
export const createLocale = (language: Language, tag?: string): Locale => {
  const t = CATALOGUES[language];
  const format = createFormat(language, tag);
  return { language, t, format, failure: (failure) => describeFailure(t.errors, format, failure) };
};

const languageOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';

/**
 * `system` follows the languages of the browser; what we do not speak becomes English. The tag keeps the region that the
 * browser names for that language.
 */
export const chooseLanguage = (
  setting: Settings['language'],
  preferred: readonly string[],
): { readonly language: Language; readonly tag: string } => {
  const spoken = preferred.map(languageOf).find((known) => Object.hasOwn(CATALOGUES, known)) as Language | undefined;
  const language = setting === 'system' ? (spoken ?? 'en') : setting;
  return { language, tag: preferred.find((tag) => languageOf(tag) === language) ?? language };
};

const LocaleContext = createContext<Locale>(createLocale('en'));

export const useLocale = (): Locale => use(LocaleContext);

interface LocaleProviderProps {
  readonly language: Language;
  readonly tag: string;
  readonly children: ReactNode;
}

export const LocaleProvider = ({ language, tag, children }: LocaleProviderProps) => {
  const locale = useMemo(() => createLocale(language, tag), [language, tag]);
  return (
    <I18nProvider locale={tag}>
      <LocaleContext value={locale}>{children}</LocaleContext>
    </I18nProvider>
  );
};
