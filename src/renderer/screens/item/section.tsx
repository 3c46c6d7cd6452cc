/** One group of the page under its heading. */

import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

export const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
};
