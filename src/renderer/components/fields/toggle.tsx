/** A switch with a label and a smaller description. */

import { Switch } from 'react-aria-components/Switch';
import { cx } from '../../design/class-names.ts';
import styles from './toggle.module.css';

interface ToggleProps {
  readonly label: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export const Toggle = ({ label, hint, isOn, isDisabled = false, onChange }: ToggleProps) => (
  <Switch className={cx(styles.toggle)} isSelected={isOn} isDisabled={isDisabled} onChange={onChange}>
    <span className={styles.words}>
      <span className={styles.label}>{label}</span>
      <span className={styles.hint}>{hint}</span>
    </span>
    <span className={styles.track}>
      <span className={styles.knob} />
    </span>
  </Switch>
);
