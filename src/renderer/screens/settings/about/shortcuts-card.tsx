/** The most important window shortcuts; `?` shows all of them. */

import { Keys } from '../../../components/indicators/kbd.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { SHORTCUTS } from '../../../palette/shortcuts.ts';
import { Card } from '../card.tsx';
import styles from './shortcuts-card.module.css';

const SHOWN = Object.keys(SHORTCUTS.window) as (keyof typeof SHORTCUTS.window)[];

export const ShortcutsCard = () => {
  const { t } = useLocale();
  return (
    <Card id="shortcuts" title={t.settings.shortcuts}>
      <dl className={styles.keys}>
        {SHOWN.map((name) => (
          <div key={name} className={styles.line}>
            <dt>{t.palette.shortcuts.window[name]}</dt>
            <dd>
              <Keys keys={SHORTCUTS.window[name][0]} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
};
