/**
 * Fallbacks of a window and of a screen that failed to render: what happened, what was kept, and how to continue. A
 * fallback takes the focus, so that screen readers announce it.
 */

import { CircleAlert, House, RotateCcw } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button } from '../components/buttons/button.tsx';
import { EmptyState } from '../components/indicators/empty-state.tsx';
import { useLocale } from '../locales/locale.tsx';
import { useAppStores, useScreen } from '../stores/use-app-stores.tsx';
import type { ErrorFallbackProps } from './error-boundary.tsx';
import styles from './error-fallbacks.module.css';
import { useTechnicalDetails } from './use-technical-details.tsx';

interface FailedCardProps extends ErrorFallbackProps {
  readonly title: string;
  readonly text: string;
  /** The button that leads home, where that differs from a retry. */
  readonly children: ReactNode;
}

const FailedCard = ({ title, text, children, ...failed }: FailedCardProps) => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const technical = useTechnicalDetails(failed);
  const card = useRef<HTMLElement>(null);
  const { error, tryAgain } = failed;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new error is announced again
  useLayoutEffect(() => card.current?.focus(), [error]);
  useLayoutEffect(() => {
    const element = card.current;
    // Returns focus to the screen that replaces this one.
    return () => {
      if (element?.contains(document.activeElement)) element.closest('main')?.focus();
    };
  }, []);

  const again = async (): Promise<void> => {
    // The snapshot may have caused the error, so a new one is fetched first.
    await engine.start();
    tryAgain();
  };
  return (
    <section ref={card} className={styles.card} aria-label={title} tabIndex={-1}>
      <EmptyState icon={CircleAlert} title={title} text={text} level={1}>
        <div className={styles.ways}>
          <Button tone="primary" icon={RotateCcw} onPress={() => void again()}>
            {t.app.tryAgain}
          </Button>
          {children}
          {technical.button}
        </div>
        {technical.words}
      </EmptyState>
    </section>
  );
};

export const ScreenErrorFallback = (failed: ErrorFallbackProps) => {
  const { view } = useAppStores();
  const { t } = useLocale();
  const screen = useScreen();
  return (
    <FailedCard {...failed} title={t.failed.screen} text={t.failed.screenText}>
      {screen !== 'home' && (
        <Button icon={House} onPress={() => view.show('home')}>
          {t.failed.goHome}
        </Button>
      )}
    </FailedCard>
  );
};

/** Reloads the page at the home screen, without any state of the broken one. */
const loadHome = (): void => {
  history.replaceState(null, '', location.pathname + location.search);
  location.reload();
};

export const WindowErrorFallback = (failed: ErrorFallbackProps) => {
  const { t } = useLocale();
  return (
    <main className={styles.window}>
      <FailedCard {...failed} title={t.failed.window} text={t.failed.windowText}>
        <Button icon={House} onPress={loadHome}>
          {t.failed.goHome}
        </Button>
      </FailedCard>
    </main>
  );
};
