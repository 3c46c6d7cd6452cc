/**
 * Mounts a page of the app (window, overlay, panel or pinned image): creates its transport and stores, and renders it
 * inside the providers of language and theme and the error boundaries.
 */
import { type ComponentType, type ReactNode, StrictMode, useEffect, useLayoutEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useStore } from 'zustand';
import { createPageTransport } from '../ipc/client/create-page-transport.ts';
import { ErrorBoundary, type ErrorFallbackProps } from './error-boundary/error-boundary.tsx';
import { NoLocaleFallback } from './error-boundary/no-locale-fallback.tsx';
import { chooseLanguage, likelyLanguage, rememberLanguage } from './locales/choose-language.ts';
import { LocaleProvider } from './locales/locale.tsx';
import { type AppStores, createAppStores } from './stores/app-stores.ts';
import { createPageClipboard } from './stores/page-clipboard.ts';
import { AppStoresProvider, useSnapshot } from './stores/use-app-stores.tsx';

interface PartProps {
  readonly stores: AppStores;
  readonly children: ReactNode;
}

const Appearance = ({ stores, children }: PartProps) => {
  const theme = useStore(stores.engine.store, ({ app }) => app?.settings.theme ?? 'system');
  const palette = useStore(stores.engine.store, ({ app }) => app?.effective.palette ?? 'linkshot');
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  useEffect(() => {
    document.documentElement.dataset['palette'] = palette;
  }, [palette]);
  return <LocaleRoot stores={stores}>{children}</LocaleRoot>;
};

/** Until the settings are loaded, only the loading screen is shown, so that the language never changes visibly. */
const LocaleRoot = ({ stores, children }: PartProps) => {
  const setting = useStore(stores.engine.store, ({ app }) => app?.settings.language ?? null);
  const { current, missing } = useStore(stores.i18n.store);
  const wanted = setting === null ? null : chooseLanguage(setting, navigator.languages).language;
  const language = current?.language ?? null;
  const [hasBegun, setBegun] = useState(false);
  const isRight = wanted === null || wanted === language || wanted === missing;
  const isSeen = language !== null && (isRight || hasBegun);

  useEffect(() => {
    if (wanted !== null) void stores.i18n.setLanguage(wanted);
  }, [wanted, stores]);
  useEffect(() => {
    if (isSeen && wanted !== null) setBegun(true);
  }, [isSeen, wanted]);
  useLayoutEffect(() => {
    if (language === null) return;
    document.documentElement.lang = language;
    if (language === wanted) rememberLanguage(window, language);
  }, [language, wanted]);

  if (current === null) return missing !== null && <NoLocaleFallback />;
  if (!isSeen) return null;
  const { tag } = chooseLanguage(current.language, navigator.languages);
  return <LocaleProvider {...{ ...current, tag }}>{children}</LocaleProvider>;
};

/** Renders the fallback without providers, in case following the settings caused the error. */
const createPlainFallback =
  (Fallback: ComponentType<ErrorFallbackProps>, stores: AppStores) =>
  (failed: ErrorFallbackProps): ReactNode => {
    const current = useStore(stores.i18n.store, (state) => state.current);
    if (current === null) return <NoLocaleFallback />;
    return (
      <LocaleProvider {...{ ...current, tag: current.language }}>
        <Fallback {...failed} />
      </LocaleProvider>
    );
  };

interface RootProps extends PartProps {
  /** Rendered instead of the children when they fail to render. */
  readonly fallback: ComponentType<ErrorFallbackProps>;
}

/** Root of every page of the app (window, overlay, panel, pinned image): language, theme and stores. */
const Root = ({ stores, fallback, children }: RootProps) => {
  const [Bare] = useState(() => createPlainFallback(fallback, stores));
  return (
    <StrictMode>
      <ErrorBoundary fallback={NoLocaleFallback}>
        <AppStoresProvider stores={stores}>
          <ErrorBoundary fallback={Bare}>
            <Appearance stores={stores}>
              <ErrorBoundary fallback={fallback}>{children}</ErrorBoundary>
            </Appearance>
          </ErrorBoundary>
        </AppStoresProvider>
      </ErrorBoundary>
    </StrictMode>
  );
};

/** `fallback` is rendered instead of the children when they fail to render. */
export const mountPage = (children: ReactNode, fallback: ComponentType<ErrorFallbackProps>): AppStores => {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no #root.');
  const stores = createAppStores({
    transport: createPageTransport(),
    clipboard: createPageClipboard(window),
    now: () => Date.now(),
  });
  // Both load while React starts.
  void stores.i18n.setLanguage(likelyLanguage(window));
  void stores.engine.start();
  createRoot(root).render(
    <Root stores={stores} fallback={fallback}>
      {children}
    </Root>,
  );
  return stores;
};

/** Renders nothing until the first snapshot. */
export const Started = ({ children }: { readonly children: ReactNode }) => {
  const { ready } = useSnapshot();
  return ready && children;
};
