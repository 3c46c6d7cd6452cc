/** The chosen language for every part of the window: its sentences and its formats. */

import { createContext, type ReactNode, use, useMemo } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import type { Failure } from '../../contract/errors.ts';
import type { Settings } from '../../contract/settings.ts';
import { en, type Messages } from './en.ts';
import { describeFailure, type ErrorText } from './errors.ts';
import { createFormat, type Format, type Language } from './format.ts';
import { ru } from './ru.ts';

const CATALOGUES: Record<Language, Messages> = { en, ru };

export interface Locale {
  readonly language: Language;
  /** The catalogue. */
  readonly t: Messages;
  readonly format: Format;
  readonly failure: (failure: Failure) => ErrorText;
}

export const createLocale = (language: Language, timeZone?: string): Locale => {
  const t = CATALOGUES[language];
  const format = createFormat(language, timeZone);
  return { language, t, format, failure: (failure) => describeFailure(t.errors, format, failure) };
};

/** `system` follows the languages of the browser; what we do not speak becomes English. */
export const chooseLanguage = (setting: Settings['language'], preferred: readonly string[]): Language => {
  if (setting !== 'system') return setting;
  for (const tag of preferred) {
    const language = tag.toLowerCase().split('-')[0];
    if (language === 'ru' || language === 'en') return language;
  }
  return 'en';
};

const LocaleContext = createContext<Locale>(createLocale('en'));

export const useLocale = (): Locale => use(LocaleContext);

export const LocaleProvider = ({
  language,
  children,
}: {
  readonly language: Language;
  readonly children: ReactNode;
}) => {
  const locale = useMemo(() => createLocale(language), [language]);
  return (
    <I18nProvider locale={language}>
      <LocaleContext value={locale}>{children}</LocaleContext>
    </I18nProvider>
  );
};
