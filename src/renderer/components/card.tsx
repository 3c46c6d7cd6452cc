/** Card with a heading. */

import { type ReactNode, useId } from 'react';
import { cx } from '../design/class-names.ts';
import styles from './card.module.css';

interface CardProps {
  readonly title: string;
  /** Name of the setting that the card is for. */
  readonly setting?: string;
  readonly isHighlighted?: boolean;
  readonly children: ReactNode;
}

export const Card = ({ title, setting, isHighlighted = false, children }: CardProps) => {
  const heading = useId();
  return (
    <section
      className={cx(styles.card, isHighlighted && styles.highlighted)}
      aria-labelledby={heading}
      data-setting={setting}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
};
