/** One group of settings under its heading. */

import { type ReactNode, useId } from 'react';
import styles from './card.module.css';

export const Card = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
};
