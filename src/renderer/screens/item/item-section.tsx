/** A section of the item page with its heading. */

import { type ReactNode, useId } from 'react';
import styles from './item-section.module.css';

interface SectionProps {
  readonly title: string;
  /** Status next to the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export const Section = ({ title, aside, children }: SectionProps) => {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
};
