/**
 * The page of one of the host's little windows. Promise: the host is always told how high the page is, and when it has
 * nothing to show, so that it can show, size and hide the window.
 */

import { type ReactNode, useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { createPageTransport } from '../../bridge/client.ts';
import { useLocale } from '../locales/locale.tsx';
import hidden from '../parts/hidden.module.css';
import { Root } from '../root.tsx';
import { createPageClipboard } from '../stores/clipboard.ts';
import { createPage } from '../stores/page.ts';
import { usePage, useSnapshot } from '../stores/use-page.tsx';
import styles from './panel-page.module.css';

type Panel = 'toast' | 'recorder';

export const startPanel = (children: ReactNode): void => {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no #root.');
  const page = createPage({
    transport: createPageTransport(),
    clipboard: createPageClipboard(window),
    now: () => Date.now(),
  });
  createRoot(root).render(
    <Root page={page}>
      <Started>{children}</Started>
    </Root>,
  );
};

/** Nothing until the first snapshot. */
const Started = ({ children }: { readonly children: ReactNode }) => {
  const { engine } = usePage();
  const { ready } = useSnapshot();
  useEffect(() => {
    void engine.start();
  }, [engine]);
  return ready && children;
};

interface PanelBodyProps {
  readonly panel: Panel;
  readonly isEmpty: boolean;
  readonly children: ReactNode;
}

export const PanelBody = ({ panel, isEmpty, children }: PanelBodyProps) => {
  const { engine } = usePage();
  const { t } = useLocale();
  const body = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = body.current;
    if (isEmpty || element === null) {
      void engine.ask('app.panel', { panel, height: null });
      return;
    }
    let told = 0;
    const tell = (): void => {
      const height = Math.max(1, Math.ceil(element.getBoundingClientRect().height));
      if (height === told) return;
      told = height;
      void engine.ask('app.panel', { panel, height });
    };
    const watch = new ResizeObserver(tell);
    watch.observe(element);
    tell();
    return () => watch.disconnect();
  }, [engine, panel, isEmpty]);
  return (
    <main ref={body} className={styles.panel}>
      <h1 className={hidden.hidden}>{panel === 'toast' ? t.panels.toast.list : t.panels.bar.label}</h1>
      {children}
    </main>
  );
};
