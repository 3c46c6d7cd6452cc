/**
 * A labelled line of text with its hint and, after a try, what is wrong with it in words. A key goes on to whatever is around
 * the field, unless `onKeyDown` has prevented its default; keys that only compose a letter are not told at all.
 */

import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { cx } from '../../design/cx.ts';
import styles from './text-field.module.css';

interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'children'> {
  readonly label: string;
  readonly placeholder?: string;
  /** What is wrong, in a sentence; null when nothing is. */
  readonly error: string | null;
  /** Beside the input, e.g. a button that shows a hidden value. */
  readonly aside?: ReactNode;
}

type Press = NonNullable<AriaTextFieldProps['onKeyDown']>;

/** React Aria keeps every key that is listened to: a dialog around would not close, and no shortcut of the window work. */
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
