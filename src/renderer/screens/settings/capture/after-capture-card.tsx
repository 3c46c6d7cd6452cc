/** Actions after a screenshot, and where and under which name it is saved. */

import type { AfterCapture } from '../../../../ipc/protocol/capture.ts';
import { Toggle } from '../../../components/fields/toggle.tsx';
import { Advice } from '../../../components/overlays/advice.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { Card } from '../card.tsx';
import { NameTemplateField } from './name-template-field.tsx';
import { SaveFolderField } from './save-folder-field.tsx';

export const AfterCaptureCard = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const words = t.captureSettings;
  const after = useApp(({ settings }) => settings.afterCapture);
  const set = (change: Partial<AfterCapture>) => void engine.updateSettings({ afterCapture: { ...after, ...change } });
  const isNothing = !after.publish && !after.copyPicture && !after.save;
  return (
    <Card id="afterCapture" title={words.after}>
      <Toggle
        label={words.publish}
        hint={words.publishHint}
        isOn={after.publish}
        onChange={(publish) => set({ publish })}
      />
      <Toggle
        label={words.copyPicture}
        hint={words.copyPictureHint}
        isOn={after.copyPicture}
        onChange={(copyPicture) => set({ copyPicture })}
      />
      <Toggle label={words.save} hint={words.saveHint} isOn={after.save} onChange={(save) => set({ save })} />
      {isNothing && <Advice tone="plain" title={words.nothing} sentences={[words.nothingAdvice]} />}
      {(after.save || isNothing) && <SaveFolderField />}
      <NameTemplateField />
    </Card>
  );
};
