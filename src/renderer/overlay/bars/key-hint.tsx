/** The shortcut of a button, shown inside it; `spoken`: announced to screen readers only, where it does not fit. */

import { VisuallyHidden } from '../../components/indicators/visually-hidden.tsx';
import { ownKeys } from '../../locales/keyboard.ts';
import styles from './key-hint.module.css';

interface KeyProps {
  readonly name: string;
  readonly look?: 'shown' | 'spoken';
}

export const Key = ({ name, look = 'shown' }: KeyProps) =>
  look === 'shown' ? (
    <kbd className={styles.key}>{ownKeys(name)}</kbd>
  ) : (
    <VisuallyHidden>{ownKeys(name)}</VisuallyHidden>
  );
