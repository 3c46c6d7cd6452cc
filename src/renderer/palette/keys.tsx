/** Keys as they are labelled on this computer's keyboard. */

import { cx } from '../design/cx.ts';
import { useLocale } from '../locales/locale.tsx';
import { IS_MAC } from '../screens/settings/hotkeys/key-field.tsx';
import styles from './keys.module.css';

/** `look`: quiet keys have no frame, for where they only remind. */
export const Keys = ({
  keys,
  look = 'caps',
}: {
  readonly keys: readonly string[];
  readonly look?: 'caps' | 'quiet';
}) => {
  const { t } = useLocale();
  const names: Readonly<Record<string, string>> = { Mod: IS_MAC ? 'Cmd' : 'Ctrl', ...t.palette.shortcuts.keys };
  return (
    <span className={cx(styles.keys, styles[look])}>
      {keys.map((key) => (
        <kbd key={key}>{names[key] ?? key}</kbd>
      ))}
    </span>
  );
};
