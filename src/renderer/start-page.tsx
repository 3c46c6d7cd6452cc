/** Starts a page of the app (window, overlay or panel) with its transport, stores and providers. */

import type { ComponentType, ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createPageTransport } from '../ipc/client/create-transport.ts';
import type { ErrorFallbackProps } from './error-boundary/error-boundary.tsx';
import { likelyLanguage } from './locales/last-language.ts';
import { Root } from './root.tsx';
import { type AppStores, createAppStores } from './stores/app-stores.ts';
import { createPageClipboard } from './stores/file-input/clipboard.ts';
import { useSnapshot } from './stores/use-app-stores.tsx';

/** `fallback` is rendered instead of the children when they fail to render. */
export const startPage = (children: ReactNode, fallback: ComponentType<ErrorFallbackProps>): AppStores => {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no #root.');
  const page = createAppStores({
    transport: createPageTransport(),
    clipboard: createPageClipboard(window),
    now: () => Date.now(),
  });
  // Both load while React starts.
  void page.i18n.setLanguage(likelyLanguage(window));
  void page.engine.start();
  createRoot(root).render(
    <Root page={page} fallback={fallback}>
      {children}
    </Root>,
  );
  return page;
};

/** Renders nothing until the first snapshot. */
export const Started = ({ children }: { readonly children: ReactNode }) => {
  const { ready } = useSnapshot();
  return ready && children;
};
