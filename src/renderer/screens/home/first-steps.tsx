/** The empty queue teaches: what to do, and what will happen. */

import { useLocale } from '../../locales/locale.tsx';
import styles from './first-steps.module.css';

export const FirstSteps = () => {
  const { t } = useLocale();
  return (
    <section>
      <h2 id="steps-title" className={styles.heading}>
        {t.queue.emptyTitle}
      </h2>
      <ol className={styles.steps} aria-labelledby="steps-title">
        {t.queue.emptySteps.map(({ title, text }, index) => (
          <li key={title} className={styles.step}>
            <span className={styles.number} aria-hidden>
              {index + 1}
            </span>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
};
