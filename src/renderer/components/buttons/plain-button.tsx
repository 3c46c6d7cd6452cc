/**
 * A native icon button with a tooltip. Unlike `button.tsx` it is cheap enough that many rows of a virtual list can
 * mount within one animation frame.
 */

import type { LucideIcon } from 'lucide-react';
import { cx } from '../../design/class-names.ts';
import styles from './button.module.css';

interface PlainButtonProps {
  readonly icon: LucideIcon;
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly onPress: () => void;
}

export const PlainButton = ({ icon: Icon, label, onPress }: PlainButtonProps) => (
  <button
    type="button"
    className={cx(styles.button, styles.iconOnly, styles.quiet)}
    aria-label={label}
    title={label}
    onClick={onPress}
  >
    <Icon size={18} aria-hidden />
  </button>
);
