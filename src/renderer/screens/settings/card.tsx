/** Card with a heading, for settings and review screens. The settings search highlights the card that it has found. */

import { type ReactNode, use, useId } from 'react';
import { cx } from '../../design/class-names.ts';
import styles from './card.module.css';
import { FoundContext } from './setting-row.tsx';
import type { SettingId } from './settings-search-index.ts';

interface CardProps {
  /** Set where the search finds the group as a whole. */
  readonly id?: SettingId;
  readonly title: string;
  readonly children: ReactNode;
}

export const Card = ({ id, title, children }: CardProps) => {
  const heading = useId();
  const found = use(FoundContext);
  const isFound = id !== undefined && found.has(id);
  return (
    <section
      className={cx(styles.card, isFound && styles.found)}
      aria-labelledby={heading}
      {...(id !== undefined && { 'data-setting': id })}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
};
