/** Version and licence of the app, with a button that restarts the first steps. */

import { DEFAULT_SETTINGS } from '../../../../ipc/protocol/settings.ts';
import { Button } from '../../../components/buttons/button.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { Card } from '../card.tsx';
import { useUpdateWords } from '../general/use-update-status.ts';
import { Setting } from '../row.tsx';

export const AboutCard = () => {
  const { engine, view } = useAppStores();
  const { t } = useLocale();
  const words = t.settingsMore.about;
  const version = useApp((app) => app.version);
  const updates = useUpdateWords();
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
