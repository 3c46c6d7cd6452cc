/** Whether the app starts with the computer: where there is a tray to live in. */

import { useLocale } from '../../locales/locale.tsx';
import { Toggle } from '../../parts/toggle.tsx';
import { useApp, usePage } from '../../stores/use-page.tsx';
import { Card } from './card.tsx';

export const StartCard = () => {
  const { engine } = usePage();
  const { t } = useLocale();
  const canLiveHidden = useApp(({ capabilities }) => capabilities.tray);
  const startAtLogin = useApp(({ settings }) => settings.startAtLogin);
  if (!canLiveHidden) return null;
  return (
    <Card title={t.captureSettings.start}>
      <Toggle
        label={t.captureSettings.startAtLogin}
        hint={t.captureSettings.startAtLoginHint}
        isOn={startAtLogin}
        onChange={(isOn) => void engine.updateSettings({ startAtLogin: isOn })}
      />
    </Card>
  );
};
