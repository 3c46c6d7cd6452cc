/** Radio buttons for a single choice, rendered as a compact row of segments or as a list of cards with explanations. */

import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { cx } from '../../design/class-names.ts';
import styles from './radio-choice.module.css';
import segments from './segments.module.css';

interface Option<Value extends string> {
  readonly value: Value;
  readonly title: string;
  /** What the option means for the user. */
  readonly text?: string;
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly look: 'segments' | 'cards';
  /** Null: no option is selected. */
  readonly value: Value | null;
  readonly options: readonly Option<Value>[];
  readonly isDisabled?: boolean;
  readonly onChange: (value: Value) => void;
}

export const RadioChoice = <Value extends string>({
  label,
  look,
  value,
  options,
  isDisabled = false,
  onChange,
}: ChoiceProps<Value>) => (
  <RadioGroup
    className={cx(styles.group, styles[look])}
    value={value}
    isDisabled={isDisabled}
    orientation={look === 'segments' ? 'horizontal' : 'vertical'}
    onChange={(chosen) => {
      const option = options.find((known) => known.value === chosen);
      if (option) onChange(option.value);
    }}
  >
    <Label className={cx(styles.label)}>{label}</Label>
    <div className={look === 'segments' ? segments.row : styles.options}>
      {options.map((option) => (
        <Radio
          key={option.value}
          value={option.value}
          className={cx(look === 'segments' ? segments.segment : styles.option)}
        >
          <span className={styles.title}>{option.title}</span>
          {option.text !== undefined && <span className={styles.text}>{option.text}</span>}
        </Radio>
      ))}
    </div>
  </RadioGroup>
);
