/**
 * Page of a host panel window. It reports its height and when it has nothing to show, so that the host can show, resize
 * and hide the window.
 */

import { type ReactNode, useEffect, useRef } from 'react';
import hidden from '../components/indicators/visually-hidden.module.css';
import { useLocale } from '../locales/locale.tsx';
import { useAppStores } from '../stores/use-app-stores.tsx';
import styles from './panel-page.module.css';

export type Panel = 'toast' | 'recorder';

interface PanelBodyProps {
  readonly panel: Panel;
  readonly isEmpty: boolean;
  readonly children: ReactNode;
}

export const PanelBody = ({ panel, isEmpty, children }: PanelBodyProps) => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const body = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = body.current;
    if (isEmpty || element === null) {
      void engine.ask('app.panel', { panel, height: null });
      return;
    }
    let reportedHeight = 0;
    const report = (): void => {
      const height = Math.max(1, Math.ceil(element.getBoundingClientRect().height));
      if (height === reportedHeight) return;
      reportedHeight = height;
      void engine.ask('app.panel', { panel, height });
    };
    const watch = new ResizeObserver(report);
    watch.observe(element);
    report();
    return () => watch.disconnect();
  }, [engine, panel, isEmpty]);
  return (
    <main ref={body} className={styles.panel}>
      <h1 className={hidden.hidden}>{panel === 'toast' ? t.panels.toast.list : t.panels.bar.label}</h1>
      {children}
    </main>
  );
};
