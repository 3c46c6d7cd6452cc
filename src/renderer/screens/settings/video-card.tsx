/** The card of the settings section Video: how videos are converted, and whether the app asks before. */

import type { FitChoice } from '../../../ipc/protocol/queue-item.ts';
import { Card } from '../../components/card.tsx';
import { RadioChoice } from '../../components/fields/radio-choice.tsx';
import { Toggle } from '../../components/fields/toggle.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import { Row } from './setting-row.tsx';

const CHOICES: readonly FitChoice[] = ['balanced', 'smaller', 'sharper', 'clip'];

export const VideoCard = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.settingsMore.video;
  const askBeforeFit = useApp(({ settings }) => settings.askBeforeFit);
  const fit = useApp(({ settings }) => settings.fit);
  return (
    <Card title={t.settingsMore.section.video}>
      <Row id="askBeforeFit">
        <Toggle
          label={t.fit.ask}
          hint={t.fit.askHint}
          isOn={askBeforeFit}
          onChange={(isOn) => void engine.updateSettings({ askBeforeFit: isOn })}
        />
      </Row>
      <Row id="fit">
        <RadioChoice
          look="cards"
          label={words.choice}
          value={fit}
          options={CHOICES.map((value) => ({ value, ...words.choices[value] }))}
          onChange={(value) => void engine.updateSettings({ fit: value })}
        />
      </Row>
    </Card>
  );
};
