/**
 * A line of short, subdued facts separated by dots. A fact wraps only where it is longer than a line, and a line never
 * begins or ends with a dot.
 */

import { Fragment, type ReactNode } from 'react';
import { cx } from '../../design/class-names.ts';
import styles from './meta-line.module.css';

interface MetaLineProps {
  /** Null and false are omitted. */
  readonly facts: readonly (ReactNode | null | false)[];
  /** `lively`: the facts change constantly, so space for a second line is reserved. */
  readonly pace?: 'calm' | 'lively';
}

export const MetaLine = ({ facts, pace = 'calm' }: MetaLineProps) => {
  const known = facts.filter((fact) => fact !== null && fact !== false);
  return (
    <p className={cx(styles.facts, styles[pace])}>
      <span className={styles.lines}>
        {known.map((fact, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the facts of a line are identified by their position only
          <Fragment key={index}>
            {/* Gecko and WebKit break no line before a dot by themselves. */}
            {index > 0 && <wbr />}
            <span className={styles.fact}>
              {index > 0 && <span className={styles.dot}>{'\u00a0·\u00a0'}</span>}
              {fact}
            </span>
          </Fragment>
        ))}
      </span>
    </p>
  );
};
