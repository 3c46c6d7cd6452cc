/** What the engine must tell and what stays until the person has dismissed it. */

import { useLocale } from '../locales/locale.tsx';
import { Advice } from '../parts/advice.tsx';
import { Button } from '../parts/button.tsx';
import { useApp, usePage } from '../stores/use-page.tsx';
import styles from './notices.module.css';

export const Notices = () => {
  const { engine } = usePage();
  const { t, failure: describe } = useLocale();
  const notices = useApp((app) => app.notices);
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
