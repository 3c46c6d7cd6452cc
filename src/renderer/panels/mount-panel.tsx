/**
 * Mounts the page of a panel window (toast or recorder bar), with a fallback for a panel that fails to render. The page
 * reports its height, or that it has nothing to show, so that the host can resize, show and hide the window.
 */

import { RotateCcw, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../components/buttons/button.tsx';
import hidden from '../components/indicators/visually-hidden.module.css';
import type { ErrorFallbackProps } from '../error-boundary/error-boundary.tsx';
import { useTechnicalDetails } from '../error-boundary/use-technical-details.tsx';
import { useLocale } from '../locales/locale.tsx';
import { mountPage, Started } from '../mount-page.tsx';
import { useAppStores } from '../stores/use-app-stores.tsx';
import styles from './mount-panel.module.css';

type Panel = 'toast' | 'recorder';

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

/** Fallback of a panel that failed to render: a card that can be closed and never takes focus. */
const createPanelFailed =
  (panel: Panel) =>
  ({ tryAgain, ...what }: ErrorFallbackProps) => {
    const { engine } = useAppStores();
    const { t } = useLocale();
    const technical = useTechnicalDetails(what);
    const again = async (): Promise<void> => {
      // The snapshot may have caused the error, so a new one is fetched first.
      await engine.start();
      tryAgain();
    };
    const close = async (): Promise<void> => {
      await engine.ask('app.panel', { panel, height: null });
      // Reloading drops all state of the broken panel.
      location.reload();
    };
    return (
      <PanelBody panel={panel} isEmpty={false}>
        <div className={styles.card}>
          <div role="alert">
            <p className={styles.title}>{t.failed[panel]}</p>
            <p>{t.failed[`${panel}Text`]}</p>
          </div>
          <div className={styles.ways}>
            <Button tone="primary" icon={RotateCcw} onPress={() => void again()}>
              {t.app.tryAgain}
            </Button>
            {technical.button}
            <Button icon={X} onPress={() => void close()}>
              {t.failed.close}
            </Button>
          </div>
          {technical.words}
        </div>
      </PanelBody>
    );
  };

export const mountPanel = (panel: Panel, children: ReactNode): void => {
  mountPage(<Started>{children}</Started>, createPanelFailed(panel));
};
