/** The cards of the settings section About: version, update, first steps, licences and shortcuts. */
import { type ComponentType, useState } from 'react';
import { DEFAULT_SETTINGS } from '../../../../ipc/protocol/settings.ts';
import { Button } from '../../../components/buttons/button.tsx';
import { Card } from '../../../components/card.tsx';
import { Keys } from '../../../components/indicators/kbd.tsx';
import { SHORTCUTS, windowShortcutsOf } from '../../../keyboard/shortcuts.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { useUpdateStatusText } from '../general/use-update-status.ts';
import { SettingCard } from '../setting-card.tsx';
import { Setting } from '../setting-row.tsx';
import styles from './about-cards.module.css';

/** Version and licence of the app, with a button that restarts the first steps. */
export const AboutCard = () => {
  const { engine, view } = useAppStores();
  const { t } = useLocale();
  const words = t.settingsMore.about;
  const version = useApp((app) => app.version);
  const updates = useUpdateStatusText();
  return (
    <Card title={words.card}>
      <Setting id="version" label={t.settings.version(version)} hint={`${updates} ${words.licence}`} />
      <Setting id="beginning" label={words.beginning} hint={words.beginningHint}>
        <Button
          onPress={() => {
            void engine.updateSettings({ firstSteps: DEFAULT_SETTINGS.firstSteps });
            view.show('home');
          }}
        >
          {words.beginningShow}
        </Button>
      </Setting>
    </Card>
  );
};

type Loaded = { readonly List: ComponentType } | 'failed' | null;

/** Opens the licences, which are loaded on demand. */
export const LicencesCard = () => {
  const words = useLocale().t.settingsMore.about;
  const [loaded, setLoaded] = useState<Loaded>(null);
  const load = async () => {
    try {
      const { LicencesList } = await import('./licences-list.tsx');
      setLoaded({ List: LicencesList });
    } catch {
      setLoaded('failed');
    }
  };
  return (
    <SettingCard id="licences" title={words.licences}>
      {loaded === null ? (
        <div>
          <Button onPress={() => void load()}>{words.licencesShow}</Button>
        </div>
      ) : loaded === 'failed' ? (
        <p role="alert">{words.licencesFailed}</p>
      ) : (
        <loaded.List />
      )}
    </SettingCard>
  );
};

const SHOWN = Object.keys(SHORTCUTS.window) as (keyof typeof SHORTCUTS.window)[];

/** The shortcuts of the window; `?` also shows the other groups. */
export const ShortcutsCard = () => {
  const { t } = useLocale();
  const shortcuts = windowShortcutsOf(useApp(({ capabilities }) => capabilities));
  return (
    <SettingCard id="shortcuts" title={t.settings.shortcuts}>
      <dl className={styles.keys}>
        {SHOWN.map((name) => (
          <div key={name} className={styles.line}>
            <dt>{t.palette.shortcuts.window[name]}</dt>
            <dd>
              <Keys keys={shortcuts[name][0]} />
            </dd>
          </div>
        ))}
      </dl>
    </SettingCard>
  );
};
