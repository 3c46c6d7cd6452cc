/** Placeholder for a list or screen with nothing to show, which suggests what to do next. */

import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text: string;
  /** 1: the main heading of the screen. */
  readonly level?: 1 | 2;
  readonly children?: ReactNode;
}

export const EmptyState = ({ icon: Icon, title, text, level = 2, children }: EmptyProps) => (
  <div className={styles.empty}>
    <span className={styles.icon}>
      <Icon size={24} strokeWidth={1.6} aria-hidden />
    </span>
    {level === 1 ? <h1>{title}</h1> : <h2>{title}</h2>}
    <p className={styles.text}>{text}</p>
    {children}
  </div>
);
