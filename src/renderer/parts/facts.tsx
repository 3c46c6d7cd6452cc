/** Short facts in one quiet line; a fact is never broken in two. */

import { Fragment, type ReactNode } from 'react';
import styles from './facts.module.css';

/** Null and false are left out. */
export const Facts = ({ facts }: { readonly facts: readonly (ReactNode | null | false)[] }) => {
  const known = facts.filter((fact) => fact !== null && fact !== false);
  return (
    <p className={styles.facts}>
      {known.map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the facts of a line have no identity but their place
        <Fragment key={index}>
          {index > 0 && ' · '}
          <span className={styles.fact}>{fact}</span>
        </Fragment>
      ))}
    </p>
  );
};
