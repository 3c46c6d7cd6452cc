/** Input field for a hotkey, recorded as it is pressed. Tab always leaves the field; Esc cancels. */

import { Fragment, type KeyboardEvent, useState } from 'react';
import { IS_MAC, Kbd } from '../../../components/indicators/kbd.tsx';
import { cx } from '../../../design/cx.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { labelsOf, readPress } from './accelerator.ts';
import styles from './hotkeys.module.css';

const Keys = ({ accelerator }: { readonly accelerator: string }) =>
  labelsOf(accelerator, IS_MAC).map((label, index) => (
    <Fragment key={label}>
      {index > 0 && <span aria-hidden>+</span>}
      <Kbd name={label} />
    </Fragment>
  ));

interface KeyFieldProps {
  /** Name of the action. */
  readonly name: string;
  readonly accelerator: string | null;
  /** Null removes the hotkey. Returns an error as a sentence; null: accepted. */
  readonly onChange: (accelerator: string | null) => string | null;
}

export const KeyField = ({ name, accelerator, onChange }: KeyFieldProps) => {
  const { t } = useLocale();
  const words = t.hotkeys;
  const [pressedKeys, setPressedKeys] = useState<readonly string[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const isRecording = pressedKeys !== null;
  const accessibleName = accelerator === null ? words.none : labelsOf(accelerator, IS_MAC).join(' + ');

  const end = (): void => setPressedKeys(null);
  const submit = (wanted: string | null): void => {
    const wrong = onChange(wanted);
    setProblem(wrong);
    if (wrong === null) end();
    else setPressedKeys([]);
  };

  const press = (event: KeyboardEvent): void => {
    if (!isRecording) return;
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (event.key === 'Tab' && isPlain) {
      end();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape' && isPlain) {
      setProblem(null);
      end();
    } else if ((event.key === 'Backspace' || event.key === 'Delete') && isPlain) submit(null);
    else {
      const pressed = readPress(event.nativeEvent);
      if (pressed.kind === 'whole') submit(pressed.accelerator);
      else if (pressed.kind === 'part') setPressedKeys(pressed.keys);
      else setProblem(words.invalid);
    }
  };

  /** Windows reports Print Screen on release only, and releasing Space would press the button. */
  const release = (event: KeyboardEvent): void => {
    if (!isRecording) return;
    event.preventDefault();
    if (event.key === 'PrintScreen') press(event);
    else setPressedKeys((keys) => (keys === null ? null : []));
  };

  return (
    <div className={styles.taker}>
      <button
        type="button"
        className={cx(styles.field, isRecording && styles.taking)}
        aria-label={isRecording ? `${name}: ${words.press}` : words.field(name, accessibleName)}
        aria-pressed={isRecording}
        onClick={() => {
          setProblem(null);
          setPressedKeys(isRecording ? null : []);
        }}
        onKeyDown={press}
        onKeyUp={release}
        onBlur={end}
      >
        {isRecording ? (
          pressedKeys.length > 0 ? (
            <Keys accelerator={pressedKeys.join('+')} />
          ) : (
            words.press
          )
        ) : accelerator === null ? (
          <span className={styles.quiet}>{words.none}</span>
        ) : (
          <Keys accelerator={accelerator} />
        )}
      </button>
      {isRecording && problem === null && <p className={styles.hint}>{words.pressHint}</p>}
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
};
