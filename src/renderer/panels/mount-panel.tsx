/** Mounts the page of a panel window (toast or recorder bar), with a fallback for a panel that fails to render. */
import { RotateCcw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../components/buttons/button.tsx';
import type { ErrorFallbackProps } from '../error-boundary/error-boundary.tsx';
import { useTechnicalDetails } from '../error-boundary/technical-details.tsx';
import { useLocale } from '../locales/locale.tsx';
import { mountPage, Started } from '../mount-page.tsx';
import { useAppStores } from '../stores/use-app-stores.tsx';
import styles from './mount-panel.module.css';
import { type Panel, PanelBody } from './panel-page.tsx';

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
        </div>
      </PanelBody>
    );
  };

export const mountPanel = (panel: Panel, children: ReactNode): void => {
  mountPage(<Started>{children}</Started>, createPanelFailed(panel));
};
