/** The key that does the same as the button it stands in; `spoken`: there is no room for it, only screen readers name it. */

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
