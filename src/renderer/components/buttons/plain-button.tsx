/** An icon button for a line among thousands: the browser's own, with its tooltip, so that lines come and go within a frame. */

import type { LucideIcon } from 'lucide-react';
import { cx } from '../../design/cx.ts';
import styles from './button.module.css';

interface PlainButtonProps {
  readonly icon: LucideIcon;
  /** Its name, for the tooltip and for screen readers. */
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
