/** What is done to videos and pictures before they are sent. */

import { useLocale } from '../../locales/locale.tsx';
import { Toggle } from '../../parts/toggle.tsx';
import { useApp, usePage } from '../../stores/use-page.tsx';
import { Card } from './card.tsx';

export const MediaCard = () => {
  const { engine } = usePage();
  const { t } = useLocale();
  const askBeforeFit = useApp(({ settings }) => settings.askBeforeFit);
  const stripMetadata = useApp(({ settings }) => settings.stripMetadata);
  return (
    <Card title={t.fit.card}>
      <Toggle
        label={t.fit.ask}
        hint={t.fit.askHint}
        isOn={askBeforeFit}
        onChange={(isOn) => void engine.updateSettings({ askBeforeFit: isOn })}
      />
      <Toggle
        label={t.fit.strip}
        hint={t.fit.stripHint}
        isOn={stripMetadata}
        onChange={(isOn) => void engine.updateSettings({ stripMetadata: isOn })}
      />
    </Card>
  );
};
