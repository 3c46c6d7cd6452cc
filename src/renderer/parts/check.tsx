/** A box to tick. Its name is for screen readers; the eye sees what it stands beside. */

import { Check as Tick } from 'lucide-react';
import { Checkbox } from 'react-aria-components/Checkbox';
import { cx } from '../design/cx.ts';
import styles from './check.module.css';

interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  /** `range`: Shift was held. */
  readonly onToggle: (reach: 'one' | 'range') => void;
}

export const Check = ({ label, isOn, onToggle }: CheckProps) => {
  let reach: 'one' | 'range' = 'one';
  return (
    <span
      className={styles.room}
      onClickCapture={(event) => {
        reach = event.shiftKey ? 'range' : 'one';
      }}
    >
      <Checkbox className={cx(styles.check)} aria-label={label} isSelected={isOn} onChange={() => onToggle(reach)}>
        <span className={styles.box}>
          <Tick size={14} strokeWidth={3} aria-hidden />
        </span>
      </Checkbox>
    </span>
  );
};
