/** Renders a key or a key combination as key caps. In combinations, `Mod` becomes ⌘ on a Mac and Ctrl elsewhere. */

import { cx } from '../../design/class-names.ts';
import { IS_MAC } from '../../keyboard/key-events.ts';
import { useLocale } from '../../locales/locale.tsx';
import styles from './kbd.module.css';

/** `quiet`: for a key that is only a reminder. */
type Look = 'cap' | 'quiet';

export const Kbd = ({ name, look = 'cap' }: { readonly name: string; readonly look?: Look }) => (
  <kbd className={cx(styles.kbd, styles[look])}>{name}</kbd>
);

/** A key combination. `Mod` is Ctrl, or Cmd on a Mac. */
export const Keys = ({ keys, look = 'cap' }: { readonly keys: readonly string[]; readonly look?: Look }) => {
  const { t } = useLocale();
  const names: Readonly<Record<string, string>> = { Mod: IS_MAC ? '⌘' : 'Ctrl', ...t.palette.shortcuts.keys };
  return (
    <span className={styles.keys}>
      {keys.map((key) => (
        <Kbd key={key} name={names[key] ?? key} look={look} />
      ))}
    </span>
  );
};
