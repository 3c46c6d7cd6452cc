/** Screenshot settings. */

import { RadioChoice } from '../../../components/fields/radio-choice.tsx';
import { Toggle } from '../../../components/fields/toggle.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { Card } from '../card.tsx';
import { secondsChoices } from './seconds-choices.ts';

const DELAYS = [0, 3, 5, 10];

export const CaptureCard = () => {
  const { engine } = useAppStores();
  const { t, format } = useLocale();
  const words = t.captureSettings;
  const delay = useApp(({ settings }) => settings.captureDelaySeconds);
  const pointer = useApp(({ settings }) => settings.capturePointer);
  const edit = useApp(({ settings }) => settings.editAfterCapture);
  return (
    <Card id="captures" title={words.card}>
      <RadioChoice
        look="segments"
        label={words.delay}
        value={String(delay)}
        options={secondsChoices(DELAYS, delay).map((value) => ({
          value: String(value),
          title: value === 0 ? words.delayNone : words.seconds(format.number(value)),
        }))}
        onChange={(value) => void engine.updateSettings({ captureDelaySeconds: Number(value) })}
      />
      <Toggle
        label={words.pointer}
        hint={words.pointerHint}
        isOn={pointer === 'show'}
        onChange={(isOn) => void engine.updateSettings({ capturePointer: isOn ? 'show' : 'hide' })}
      />
      <Toggle
        label={words.edit}
        hint={words.editHint}
        isOn={edit}
        onChange={(isOn) => void engine.updateSettings({ editAfterCapture: isOn })}
      />
    </Card>
  );
};
