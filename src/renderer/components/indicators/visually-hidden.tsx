/** Text for screen readers only. With `live` it is announced when it changes. */

import type { ReactNode } from 'react';
import styles from './visually-hidden.module.css';

export const VisuallyHidden = ({ live, children }: { readonly live?: true; readonly children: ReactNode }) => (
  <span className={styles.hidden} {...(live && { 'aria-live': 'polite' as const })}>
    {children}
  </span>
);
