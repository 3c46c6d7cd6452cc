/**
 * The screen before the engine's first snapshot: nothing for a moment, then that Linkshot is starting, or why the
 * engine cannot be reached.
 */

import { useEffect, useState } from 'react';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/buttons/button.tsx';
import { useLocale } from '../locales/locale.tsx';
import { useAppStores, useHostConnection, useSnapshot } from '../stores/use-app-stores.tsx';
import styles from './loading-screen.module.css';

/** A start faster than this shows nothing. */
const BLINK_MS = 400;

const useIsLate = (): boolean => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), BLINK_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
};

export const LoadingScreen = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const { failure } = useSnapshot();
  const isLate = useIsLate();
  const isRefused = useHostConnection() === 'refused';
  return (
    <main className={styles.screen}>
      {failure === null ? (
        <p className={styles.quiet} role="status">
          {isLate && t.app.starting}
        </p>
      ) : (
        <div role="alert">
          {isRefused ? (
            <Alert tone="bad" title={t.app.linkRefused} sentences={[t.app.linkRefusedAdvice]} />
          ) : (
            <Alert tone="bad" title={t.app.unanswered} sentences={[t.app.unansweredAdvice]} failure={failure}>
              <Button tone="primary" onPress={() => void engine.start()}>
                {t.app.tryAgain}
              </Button>
            </Alert>
          )}
        </div>
      )}
    </main>
  );
};
