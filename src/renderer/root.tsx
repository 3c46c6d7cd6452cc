/** Everything around a page of the app (its window, the overlay, a panel) that follows the settings: language, theme, stores. */

import { type ComponentType, type ReactNode, StrictMode, useEffect } from 'react';
import { useStore } from 'zustand';
import { Boundary, type FailedProps } from './failed/boundary.tsx';
import { chooseLanguage, LocaleProvider } from './locales/locale.tsx';
import type { Page } from './stores/page.ts';
import { PageProvider } from './stores/use-page.tsx';

const Appearance = ({ page, children }: { readonly page: Page; readonly children: ReactNode }) => {
  const setting = useStore(page.engine.store, ({ app }) => app?.settings.language ?? 'system');
  const theme = useStore(page.engine.store, ({ app }) => app?.settings.theme ?? 'system');
  const palette = useStore(page.engine.store, ({ app }) => app?.effective.palette ?? 'linkshot');
  const { language, tag } = chooseLanguage(setting, navigator.languages);

  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  useEffect(() => {
    document.documentElement.dataset['palette'] = palette;
  }, [palette]);

  return (
    <LocaleProvider language={language} tag={tag}>
      {children}
    </LocaleProvider>
  );
};

interface RootProps {
  readonly page: Page;
  /** Stands in for the children when they break. */
  readonly fallback: ComponentType<FailedProps>;
  readonly children: ReactNode;
}

export const Root = ({ page, fallback, children }: RootProps) => (
  <StrictMode>
    <PageProvider page={page}>
      <Appearance page={page}>
        <Boundary fallback={fallback}>{children}</Boundary>
      </Appearance>
    </PageProvider>
  </StrictMode>
);
