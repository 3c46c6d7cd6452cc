/** The shortcut of a button of the overlay: shown in the button, or only announced to screen readers. */
import { VisuallyHidden } from '../components/indicators/visually-hidden.tsx';
import { ownKeys } from '../locales/platform-keys.ts';
import styles from './key-hint.module.css';

interface KeyProps {
  readonly name: string;
  readonly look?: 'shown' | 'spoken';
}

/** `spoken`: announced to screen readers only, where it does not fit. */
export const KeyHint = ({ name, look = 'shown' }: KeyProps) =>
  look === 'shown' ? (
    <kbd className={styles.key}>{ownKeys(name)}</kbd>
  ) : (
    <VisuallyHidden>{ownKeys(name)}</VisuallyHidden>
  );
