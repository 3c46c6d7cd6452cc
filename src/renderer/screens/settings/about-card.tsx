/** The version and the keys that make the window quick. */

import { useLocale } from '../../locales/locale.tsx';
import { Kbd } from '../../parts/kbd.tsx';
import { useApp } from '../../stores/use-page.tsx';
import styles from './about-card.module.css';
import { Card } from './card.tsx';

export const AboutCard = () => {
  const { t } = useLocale();
  const version = useApp((app) => app.version);
  const more = t.palette.shortcuts.window;
  const shortcuts = [
    { keys: ['Ctrl', 'K'], words: more.palette },
    { keys: ['?'], words: more.shortcuts },
    { keys: ['Ctrl', 'V'], words: t.settings.shortcutPaste },
    { keys: ['Ctrl', 'O'], words: t.settings.shortcutChoose },
    { keys: ['/'], words: t.settings.shortcutSearch },
    { keys: ['Alt', '↑ ↓'], words: t.settings.shortcutMove },
  ];
  return (
    <Card title={t.settings.shortcuts}>
      <dl className={styles.keys}>
        {shortcuts.map(({ keys, words }) => (
          <div key={words} className={styles.line}>
            <dt>{words}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key} name={key} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.version}>{t.settings.version(version)}</p>
    </Card>
  );
};
