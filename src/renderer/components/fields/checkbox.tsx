/**
 * A native checkbox whose label is for screen readers only. Reports whether Shift was pressed, for selecting a range.
 */

import { cx } from '../../design/class-names.ts';
import styles from './checkbox.module.css';

interface CheckboxProps {
  readonly label: string;
  readonly isOn: boolean;
  /** `range`: Shift was pressed. */
  readonly onToggle: (reach: 'one' | 'range') => void;
}

export const Checkbox = ({ label, isOn, onToggle }: CheckboxProps) => (
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
