/** Settings for image metadata. */

import { Toggle } from '../../../components/fields/toggle.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { Card } from '../card.tsx';
import { Row } from '../row.tsx';

export const PicturesCard = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const stripMetadata = useApp(({ settings }) => settings.stripMetadata);
  return (
    <Card title={t.settingsMore.privacy.pictures}>
      <Row id="stripMetadata">
        <Toggle
          label={t.fit.strip}
          hint={t.fit.stripHint}
          isOn={stripMetadata}
          onChange={(isOn) => void engine.updateSettings({ stripMetadata: isOn })}
        />
      </Row>
    </Card>
  );
};
