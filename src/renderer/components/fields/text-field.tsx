/**
 * A labelled text input with a placeholder, an error message and space for a button. Key events bubble unless
 * `onKeyDown` prevents the default. `onKeyDown` does not get the keys of an IME composition.
 */

import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { cx } from '../../design/class-names.ts';
import styles from './text-field.module.css';

interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'children'> {
  readonly label: string;
  readonly placeholder?: string;
  /** The error as a sentence; null without an error. */
  readonly error: string | null;
  /** Next to the input, e.g. a button that reveals a password. */
  readonly aside?: ReactNode;
}

type Press = NonNullable<AriaTextFieldProps['onKeyDown']>;

/**
 * React Aria stops every key event that has a listener: without this, Esc would not close a surrounding dialog and
 * window shortcuts would not work.
 */
const passingOn =
  (press: Press): Press =>
  (event) => {
    if (!event.nativeEvent.isComposing) press(event);
    if (!event.isDefaultPrevented()) event.continuePropagation();
  };

export const TextField = ({ label, placeholder, error, aside, onKeyDown, ...rest }: TextFieldProps) => (
  <AriaTextField
    {...rest}
    {...(onKeyDown && { onKeyDown: passingOn(onKeyDown) })}
    isInvalid={error !== null}
    validationBehavior="aria"
    className={cx(styles.field)}
  >
    <Label className={cx(styles.label)}>{label}</Label>
    <div className={styles.line}>
      <Input className={cx(styles.input)} {...(placeholder !== undefined && { placeholder })} />
      {aside}
    </div>
    <FieldError className={cx(styles.error)}>{error}</FieldError>
  </AriaTextField>
);
