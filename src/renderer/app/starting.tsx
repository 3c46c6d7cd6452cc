/** Before the first snapshot: a quiet moment, or what to do if the engine does not answer. */

import { useLocale } from '../locales/locale.tsx';
import { Advice } from '../parts/advice.tsx';
import { Button } from '../parts/button.tsx';
import { usePage, useSnapshot } from '../stores/use-page.tsx';
import styles from './starting.module.css';

export const Starting = () => {
  const { engine } = usePage();
  const { t } = useLocale();
  const { failure } = useSnapshot();
  return (
    <main className={styles.screen}>
      {failure === null ? (
        <p className={styles.quiet} role="status">
          {t.app.starting}
        </p>
      ) : (
        <div role="alert">
          <Advice tone="bad" title={t.app.unanswered} sentences={[t.app.unansweredAdvice]} failure={failure}>
            <Button tone="primary" onPress={() => void engine.start()}>
              {t.app.tryAgain}
            </Button>
          </Advice>
        </div>
      )}
    </main>
  );
};
