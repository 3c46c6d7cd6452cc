/** App behaviour on this computer: autostart, notifications and updates. */

import { Toggle } from '../../../components/fields/toggle.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { Card } from '../card.tsx';
import { Row, Setting } from '../row.tsx';
import { useUpdateWords } from './use-update-status.ts';

export const SystemCard = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.captureSettings;
  const { tray, overlay, explorerMenu: hasExplorer } = useApp((app) => app.capabilities);
  const startAtLogin = useApp(({ settings }) => settings.startAtLogin);
  const explorerMenu = useApp(({ settings }) => settings.explorerMenu);
  const toast = useApp(({ settings }) => settings.toast);
  return (
    <Card title={t.settingsMore.system}>
      {tray && (
        <Row id="startAtLogin">
          <Toggle
            label={words.startAtLogin}
            hint={words.startAtLoginHint}
            isOn={startAtLogin}
            onChange={(isOn) => void engine.updateSettings({ startAtLogin: isOn })}
          />
        </Row>
      )}
      {hasExplorer && (
        <Row id="explorerMenu">
          <Toggle
            label={words.explorerMenu}
            hint={words.explorerMenuHint}
            isOn={explorerMenu}
            onChange={(isOn) => void engine.updateSettings({ explorerMenu: isOn })}
          />
        </Row>
      )}
      {overlay !== 'none' && (
        <Row id="toast">
          <Toggle
            label={words.toast}
            hint={words.toastHint}
            isOn={toast === 'show'}
            onChange={(isOn) => void engine.updateSettings({ toast: isOn ? 'show' : 'hide' })}
          />
        </Row>
      )}
      <Updates />
    </Card>
  );
};

const Updates = () => {
  const { t } = useLocale();
  return <Setting id="updates" label={t.settingsMore.updates.label} hint={useUpdateWords()} />;
};
