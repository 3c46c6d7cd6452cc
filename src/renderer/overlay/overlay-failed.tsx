/**
 * Error screen for a capture overlay that fails to render, with buttons that cancel the capture, try again or copy the
 * technical details. Escape also cancels the capture, so the user can always leave the overlay.
 */

import { CircleAlert, RotateCcw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { Button } from '../components/buttons/button.tsx';
import { EmptyState } from '../components/indicators/empty-state.tsx';
import type { ErrorFallbackProps } from '../error-boundary/error-boundary.tsx';
import { useTechnicalDetails } from '../error-boundary/use-technical-details.tsx';
import { useLocale } from '../locales/locale.tsx';
import { useAppStores } from '../stores/use-app-stores.tsx';
import styles from './overlay-failed.module.css';

/** Unmounts with the session; the next session starts fresh. */
export const OverlayFailed = (failed: ErrorFallbackProps) => {
  const { engine } = useAppStores();
  const { tryAgain } = failed;
  const isChoosing = useStore(engine.store, ({ app }) => app?.capture?.state === 'choosing');
  useEffect(() => {
    if (!isChoosing) tryAgain();
  }, [isChoosing, tryAgain]);
  return isChoosing && <OverlayError {...failed} />;
};

const OverlayError = ({ tryAgain, ...what }: ErrorFallbackProps) => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const technical = useTechnicalDetails(what);
  const card = useRef<HTMLElement>(null);
  useEffect(() => card.current?.focus(), []);
  useEffect(() => {
    const leave = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') void engine.ask('capture.cancel', {});
    };
    addEventListener('keydown', leave);
    return () => removeEventListener('keydown', leave);
  }, [engine]);
  return (
    <main ref={card} className={styles.cover} aria-label={t.failed.overlay} tabIndex={-1}>
      <EmptyState icon={CircleAlert} title={t.failed.overlay} text={t.failed.overlayText} level={1}>
        <div className={styles.ways}>
          <Button tone="primary" onPress={() => void engine.ask('capture.cancel', {})}>
            {t.failed.giveUp}
          </Button>
          <Button icon={RotateCcw} onPress={tryAgain}>
            {t.app.tryAgain}
          </Button>
          {technical.button}
        </div>
        {technical.words}
      </EmptyState>
    </main>
  );
};
