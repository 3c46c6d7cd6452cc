/** How the app lives on this computer: its start, its notices, and newer versions of it. */

import { useEffect, useState } from 'react';
import type { CommandOutput } from '../../../contract/ipc.ts';
import { useLocale } from '../../locales/locale.tsx';
import { Toggle } from '../../parts/toggle.tsx';
import { useApp, usePage } from '../../stores/use-page.tsx';
import { Card } from './card.tsx';
import { Row, Setting } from './row.tsx';

export const SystemCard = () => {
  const { engine } = usePage();
  const { t } = useLocale();
  const words = t.captureSettings;
  const { tray, overlay } = useApp((app) => app.capabilities);
  const startAtLogin = useApp(({ settings }) => settings.startAtLogin);
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

type UpdateState = CommandOutput<'app.updates'>;

const Updates = () => {
  const { engine } = usePage();
  const { t, format } = useLocale();
  const words = t.settingsMore.updates;
  const [found, setFound] = useState<UpdateState | null>(null);
  useEffect(() => {
    let isWanted = true;
    void engine.ask('app.updates', {}).then((asked) => {
      if (isWanted && asked.ok) setFound(asked.value);
    });
    return () => {
      isWanted = false;
    };
  }, [engine]);
  const { state, version, checkedAt } = found ?? { state: 'not-looked-for', version: null, checkedAt: null };
  const told = words.states[state];
  const sentence = typeof told === 'string' ? told : told(version ?? '');
  const checked = checkedAt === null ? '' : ` ${words.checked(format.dateTime(new Date(checkedAt)))}`;
  return <Setting id="updates" label={words.label} hint={`${sentence}${checked}`} />;
};
