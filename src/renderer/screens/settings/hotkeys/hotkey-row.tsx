/** Settings row of one hotkey: its keys, its state, and a fix if it does not work. */

import { CircleCheck, RotateCcw, TriangleAlert, X } from 'lucide-react';
import { Fragment, type KeyboardEvent, useState } from 'react';
import { HOTKEY_ACTIONS, type Hotkey, type HotkeyAction } from '../../../../ipc/protocol/hotkeys.ts';
import type { Settings } from '../../../../ipc/protocol/settings.ts';
import { Alert } from '../../../components/alert.tsx';
import { Button, IconButton } from '../../../components/buttons/button.tsx';
import { Kbd } from '../../../components/indicators/kbd.tsx';
import { cx } from '../../../design/class-names.ts';
import { alternativeTo, isSameHotkey, labelsOf, readPress } from '../../../keyboard/accelerator.ts';
import { IS_MAC, isPlainKey } from '../../../keyboard/key-events.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import styles from './hotkeys.module.css';
import { useHotkeyTest } from './use-hotkey-test.ts';

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

/** Input field for a hotkey, recorded as it is pressed. Tab always leaves the field; Esc cancels. */
const KeyField = ({ name, accelerator, onChange }: KeyFieldProps) => {
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
    const isPlain = isPlainKey(event);
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
      const pressed = readPress(event.nativeEvent, IS_MAC);
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

interface HotkeyRowProps {
  readonly action: HotkeyAction;
  /** The engine's state of the hotkey; undefined: not registered yet. */
  readonly hotkey: Hotkey | undefined;
}

export const HotkeyRow = ({ action, hotkey }: HotkeyRowProps) => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.hotkeys;
  const settings = useApp((app) => app.settings.hotkeys);
  const region = useApp(({ effective }) => effective.hotkey);
  /** Effective hotkeys: that of the region comes from the account unless it is set here. */
  const all: Settings['hotkeys'] = { ...settings, region };
  const name = words.actions[action];
  const own = settings[action];
  const accelerator = all[action];
  const isFromAccount = own === null && accelerator !== null;
  const test = useHotkeyTest(action);

  const change = (wanted: string | null): string | null => {
    const other = HOTKEY_ACTIONS.find((known) => known !== action && isSameHotkey(all[known], wanted, IS_MAC));
    if (other) return words.takenHere(words.actions[other]);
    void engine.updateSettings({ hotkeys: { ...settings, [action]: wanted } });
    return null;
  };

  return (
    <li className={styles.row}>
      <p className={styles.name}>{name}</p>
      <div className={styles.states}>
        <StateWords hotkey={hotkey} isFromAccount={isFromAccount} />
        <p className={cx(styles.hint, test.result && styles[test.result.tone])} role="status">
          {test.result?.text}
        </p>
      </div>
      <div className={styles.keys}>
        {accelerator !== null && hotkey?.state === 'asked' && (
          <span className={styles.test}>
            <Button aria-label={words.testOf(name)} isDisabled={test.isRunning} onPress={test.run}>
              {words.test}
            </Button>
          </span>
        )}
        <KeyField name={name} accelerator={accelerator} onChange={change} />
        {own === null ? (
          <span className={styles.room} />
        ) : (
          <IconButton
            icon={X}
            label={action === 'region' ? words.asAccount(name) : words.clear(name)}
            onPress={() => void change(null)}
          />
        )}
      </div>
      {hotkey?.failure && <HotkeyError hotkey={hotkey} all={all} onUse={(wanted) => void change(wanted)} />}
    </li>
  );
};

const StateWords = ({
  hotkey,
  isFromAccount,
}: {
  readonly hotkey: Hotkey | undefined;
  readonly isFromAccount: boolean;
}) => {
  const { t, format } = useLocale();
  const words = t.hotkeys;
  const origin = isFromAccount ? ` · ${words.fromAccount}` : '';
  if (hotkey === undefined || hotkey.state === 'off')
    return <p className={styles.hint}>{isFromAccount && words.fromAccount}</p>;
  if (hotkey.state === 'refused') {
    return (
      <p className={cx(styles.hint, styles.bad)}>
        <TriangleAlert size={14} aria-hidden />
        {words.refused}
        {origin}
      </p>
    );
  }
  const isProven = hotkey.pressedAt !== null;
  const bound = hotkey.bound === null ? '' : `${words.bound(hotkey.bound)} · `;
  return (
    <p className={cx(styles.hint, isProven && styles.good)}>
      {isProven && <CircleCheck size={14} aria-hidden />}
      {bound}
      {hotkey.pressedAt === null ? words.asked : words.heard(format.time(new Date(hotkey.pressedAt)))}
      {origin}
    </p>
  );
};

interface HotkeyErrorProps {
  readonly hotkey: Hotkey;
  readonly all: Settings['hotkeys'];
  readonly onUse: (accelerator: string) => void;
}

const HotkeyError = ({ hotkey, all, onUse }: HotkeyErrorProps) => {
  const { engine } = useAppStores();
  const { t, failure: describe } = useLocale();
  const { failure, action } = hotkey;
  if (failure === null) return null;
  const { title, advice } = describe(failure);
  const named = failure.params?.['offer'];
  const suggestion = typeof named === 'string' ? named : alternativeTo(all[action], action, Object.values(all));
  const isSnippingTool = failure.params?.['by'] === 'snipping-tool';
  return (
    <div className={styles.refusal}>
      <Alert tone="warn" title={title} sentences={[advice]} failure={failure}>
        {suggestion !== null && (
          <Button tone="primary" onPress={() => onUse(suggestion)}>
            {t.hotkeys.use(labelsOf(suggestion, IS_MAC).join(' + '))}
          </Button>
        )}
        {isSnippingTool && (
          <Button onPress={() => void engine.run('hotkeys.replaceSnippingTool', { isOn: true })}>
            {t.hotkeys.snippingTool.replace}
          </Button>
        )}
        <Button icon={RotateCcw} onPress={() => void engine.run('hotkeys.retry', {})}>
          {t.hotkeys.askAgain}
        </Button>
      </Alert>
    </div>
  );
};
