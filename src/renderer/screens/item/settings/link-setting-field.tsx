/** One setting of a published link: its name and current value, with a form that opens to change it. */

import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../components/buttons/button.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import styles from './link-setting-field.module.css';

interface FieldProps {
  readonly label: string;
  /** The current value as text. */
  readonly hint: string;
  /** Label of the button that opens the form; null: the setting cannot be changed here, and `hint` says why. */
  readonly action: string | null;
  /** Removes the value; null: there is none. */
  readonly onRemove: (() => void) | null;
  /** The input; its name and error are those of the setting. */
  readonly input: (props: InputProps) => ReactNode;
  /** Opens the form at once. */
  readonly isNew?: boolean;
  /** The form closes without saving; drops what was typed, so that it does not come back. */
  readonly onCancel: () => void;
  /** Saves the input, or returns its error as a sentence. */
  readonly onSave: () => string | null;
}

interface InputProps {
  readonly 'aria-label': string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
  readonly className: string | undefined;
}

export const LinkSettingField = ({
  label,
  hint,
  action,
  onRemove,
  input,
  isNew = false,
  onCancel,
  onSave,
}: FieldProps) => {
  const { t } = useLocale();
  const words = t.item.settings;
  const id = useId();
  const [isOpen, setOpen] = useState(isNew);
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLFieldSetElement>(null);
  const wasOpen = useRef(false);
  const close = (): void => {
    setOpen(false);
    setError(null);
  };
  // Focus moves into the form, and back to the button when the form closes.
  useEffect(() => {
    if (isOpen) field.current?.querySelector('input')?.focus();
    else if (wasOpen.current) field.current?.querySelector('button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const cancel = (): void => {
    close();
    onCancel();
  };
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const wrong = onSave();
    setError(wrong);
    if (wrong === null) close();
  };
  return (
    <fieldset ref={field} className={styles.field} aria-label={label}>
      <div className={styles.line}>
        <div className={styles.words}>
          <span className={styles.label}>{label}</span>
          <span className={styles.hint}>{hint}</span>
        </div>
        {!isOpen && (
          <div className={styles.buttons}>
            {action !== null && <Button onPress={() => setOpen(true)}>{action}</Button>}
            {onRemove && (
              <Button tone="quiet" onPress={onRemove}>
                {words.remove}
              </Button>
            )}
          </div>
        )}
      </div>
      {isOpen && (
        <form
          className={styles.form}
          onSubmit={save}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            cancel();
          }}
        >
          {input({
            'aria-label': label,
            'aria-invalid': error !== null,
            'aria-describedby': id,
            className: styles.input,
          })}
          <div className={styles.buttons}>
            <Button type="submit" tone="primary">
              {words.save}
            </Button>
            <Button tone="quiet" onPress={cancel}>
              {words.cancel}
            </Button>
          </div>
        </form>
      )}
      <p id={id} className={styles.error} role="alert">
        {error}
      </p>
    </fieldset>
  );
};
