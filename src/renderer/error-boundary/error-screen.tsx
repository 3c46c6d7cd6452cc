/** In the place of a broken window or screen: what happened, what was kept, and the ways on. It takes the keyboard, so that it is read out. */

import { CircleAlert, House, RotateCcw } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button } from '../components/buttons/button.tsx';
import { EmptyState } from '../components/overlays/empty-state.tsx';
import { useLocale } from '../locales/locale.tsx';
import { useAppStores, useScreen } from '../stores/use-app-stores.tsx';
import type { ErrorFallbackProps } from './error-boundary.tsx';
import styles from './error-screen.module.css';
import { useTechnicalDetails } from './technical-details.tsx';

interface FailedCardProps extends ErrorFallbackProps {
  readonly title: string;
  readonly text: string;
  /** The way home, where that is another way. */
  readonly children: ReactNode;
}

const FailedCard = ({ title, text, children, ...failed }: FailedCardProps) => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const technical = useTechnicalDetails(failed);
  const card = useRef<HTMLElement>(null);
  const { error, tryAgain } = failed;

  // biome-ignore lint/correctness/useExhaustiveDependencies: what breaks anew is told anew
  useLayoutEffect(() => card.current?.focus(), [error]);
  useLayoutEffect(() => {
    const element = card.current;
    // The keyboard goes on where the screen is that comes back.
    return () => {
      if (element?.contains(document.activeElement)) element.closest('main')?.focus();
    };
  }, []);

  const again = async (): Promise<void> => {
    // What broke may be the snapshot that it was drawn from.
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

export const ScreenError = (failed: ErrorFallbackProps) => {
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

/** Loads the page anew at its first screen: nothing of the broken one is left. */
const loadHome = (): void => {
  history.replaceState(null, '', location.pathname + location.search);
  location.reload();
};

export const WindowError = (failed: ErrorFallbackProps) => {
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
