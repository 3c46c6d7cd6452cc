/** Short facts in one quiet line; a fact is never broken in two, and no line begins or ends with a dot. */

import type { ReactNode } from 'react';
import { cx } from '../../design/cx.ts';
import styles from './meta-line.module.css';

interface FactsProps {
  /** Null and false are left out. */
  readonly facts: readonly (ReactNode | null | false)[];
  /** `lively`: they change every moment, so where they may need a second line its room is kept free. */
  readonly pace?: 'calm' | 'lively';
}

export const MetaLine = ({ facts, pace = 'calm' }: FactsProps) => {
  const known = facts.filter((fact) => fact !== null && fact !== false);
  return (
    <p className={cx(styles.facts, styles[pace])}>
      <span className={styles.lines}>
        {known.map((fact, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the facts of a line have no identity but their place
          <span key={index} className={styles.fact}>
            {index > 0 && <span className={styles.dot}>{'\u00a0·\u00a0'}</span>}
            {fact}
          </span>
        ))}
      </span>
    </p>
  );
};
