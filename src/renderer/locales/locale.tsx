/** React context of the current locale: its texts, formats and error texts. */

import { createContext, type ReactNode, use, useMemo } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import type { Failure } from '../../api/errors.ts';
import { describeFailure, type ErrorText } from './describe-failure.ts';
import type { Messages } from './en.ts';
import { createFormat, type Format, type Language } from './format.ts';

export interface Locale {
  readonly language: Language;
  /** The catalogue. */
  readonly t: Messages;
  readonly format: Format;
  readonly failure: (failure: Failure) => ErrorText;
}

/** `tag` names the region whose date format is used; by default the language itself. */
export const createLocale = (language: Language, t: Messages, tag?: string): Locale => {
  const format = createFormat(language, tag);
  return { language, t, format, failure: (failure) => describeFailure(t.errors, format, failure) };
};

const LocaleContext = createContext<Locale | null>(null);

export const useLocale = (): Locale => {
  const locale = use(LocaleContext);
  if (locale === null) throw new Error('useLocale outside of LocaleProvider');
  return locale;
};

interface LocaleProviderProps {
  readonly language: Language;
  readonly messages: Messages;
  readonly tag: string;
  readonly children: ReactNode;
}

export const LocaleProvider = ({ language, messages, tag, children }: LocaleProviderProps) => {
  const locale = useMemo(() => createLocale(language, messages, tag), [language, messages, tag]);
  return (
    <I18nProvider locale={tag}>
      <LocaleContext value={locale}>{children}</LocaleContext>
    </I18nProvider>
  );
};
