/** A box to tick, the browser's own. Its name is for screen readers; the eye sees what it stands beside. */

import { cx } from '../../design/cx.ts';
import styles from './checkbox.module.css';

interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  /** `range`: Shift was held. */
  readonly onToggle: (reach: 'one' | 'range') => void;
}

export const Checkbox = ({ label, isOn, onToggle }: CheckProps) => (
  <label className={cx(styles.check)}>
    <input
      type="checkbox"
      className={cx(styles.box)}
      aria-label={label}
      checked={isOn}
      onChange={({ nativeEvent }) =>
        onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey ? 'range' : 'one')
      }
    />
  </label>
);
