/** Everything around a page of the app (its window, the overlay, a panel) that follows the settings: language, theme, stores. */

import { type ComponentType, type ReactNode, StrictMode, useEffect, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Boundary, type FailedProps } from './error-boundary/error-boundary.tsx';
import { Speechless } from './error-boundary/no-locale-fallback.tsx';
import { chooseLanguage } from './locales/choose-language.ts';
import { rememberLanguage } from './locales/last-language.ts';
import { LocaleProvider } from './locales/locale.tsx';
import type { Page } from './stores/app-stores.ts';
import { PageProvider } from './stores/use-app-stores.tsx';

interface PartProps {
  readonly page: Page;
  readonly children: ReactNode;
}

const Appearance = ({ page, children }: PartProps) => {
  const theme = useStore(page.engine.store, ({ app }) => app?.settings.theme ?? 'system');
  const palette = useStore(page.engine.store, ({ app }) => app?.effective.palette ?? 'linkshot');
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  useEffect(() => {
    document.documentElement.dataset['palette'] = palette;
  }, [palette]);
  return <Speech page={page}>{children}</Speech>;
};

/** Before the settings are known nothing but the start is seen, so nothing is ever seen to change its language by itself. */
const Speech = ({ page, children }: PartProps) => {
  const setting = useStore(page.engine.store, ({ app }) => app?.settings.language ?? null);
  const { spoken, missing } = useStore(page.words.store);
  const wanted = setting === null ? null : chooseLanguage(setting, navigator.languages).language;
  const language = spoken?.language ?? null;
  const [hasBegun, setBegun] = useState(false);
  const isRight = wanted === null || wanted === language || wanted === missing;
  const isSeen = language !== null && (isRight || hasBegun);

  useEffect(() => {
    if (wanted !== null) void page.words.speak(wanted);
  }, [wanted, page]);
  useEffect(() => {
    if (isSeen && wanted !== null) setBegun(true);
  }, [isSeen, wanted]);
  useLayoutEffect(() => {
    if (language === null) return;
    document.documentElement.lang = language;
    if (language === wanted) rememberLanguage(window, language);
  }, [language, wanted]);

  if (spoken === null) return missing !== null && <Speechless />;
  if (!isSeen) return null;
  const { tag } = chooseLanguage(spoken.language, navigator.languages);
  return <LocaleProvider {...{ ...spoken, tag }}>{children}</LocaleProvider>;
};

/** Where following the settings is what broke: the same words, as they are without any. */
const createBare =
  (Fallback: ComponentType<FailedProps>, page: Page) =>
  (failed: FailedProps): ReactNode => {
    const spoken = useStore(page.words.store, (state) => state.spoken);
    if (spoken === null) return <Speechless />;
    return (
      <LocaleProvider {...{ ...spoken, tag: spoken.language }}>
        <Fallback {...failed} />
      </LocaleProvider>
    );
  };

interface RootProps extends PartProps {
  /** Stands in for the children when they break. */
  readonly fallback: ComponentType<FailedProps>;
}

export const Root = ({ page, fallback, children }: RootProps) => {
  const [Bare] = useState(() => createBare(fallback, page));
  return (
    <StrictMode>
      <Boundary fallback={Speechless}>
        <PageProvider page={page}>
          <Boundary fallback={Bare}>
            <Appearance page={page}>
              <Boundary fallback={fallback}>{children}</Boundary>
            </Appearance>
          </Boundary>
        </PageProvider>
      </Boundary>
    </StrictMode>
  );
};
