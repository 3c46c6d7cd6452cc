/** Notices from the engine, shown until the user dismisses them. */

import type { ErrorCode } from '../../api/errors.ts';
import { Button } from '../components/buttons/button.tsx';
import { Advice } from '../components/overlays/advice.tsx';
import { useLocale } from '../locales/locale.tsx';
import type { Screen } from '../stores/router-store.ts';
import { useApp, useAppStores, useScreen } from '../stores/use-app-stores.tsx';
import styles from './notices.module.css';

/** The review screen already says that its recording was recovered. */
const isSaidBy = (screen: Screen, code: ErrorCode): boolean => screen === 'review' && code === 'RECORDING_RECOVERED';

export const Notices = () => {
  const { engine } = useAppStores();
  const { t, failure: describe } = useLocale();
  const screen = useScreen();
  const notices = useApp((app) => app.notices).filter(({ code }) => !isSaidBy(screen, code));
  if (notices.length === 0) return null;
  return (
    <section className={styles.notices} aria-label={t.app.notices}>
      {notices.map((notice, index) => {
        const { title, advice } = describe(notice);
        return (
          <Advice
            key={`${notice.code} ${notice.detail}`}
            tone="warn"
            title={title}
            sentences={[advice]}
            failure={notice}
          >
            {index === 0 && <Button onPress={() => void engine.run('app.dismissNotices', {})}>{t.app.dismiss}</Button>}
          </Advice>
        );
      })}
    </section>
  );
};
