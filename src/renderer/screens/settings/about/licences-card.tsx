/** Opens the licences, which are loaded on demand. */

import { type ComponentType, useState } from 'react';
import { Button } from '../../../components/buttons/button.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { Card } from '../card.tsx';

type Loaded = { readonly List: ComponentType } | 'failed' | null;

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
    <Card id="licences" title={words.licences}>
      {loaded === null ? (
        <div>
          <Button onPress={() => void load()}>{words.licencesShow}</Button>
        </div>
      ) : loaded === 'failed' ? (
        <p role="alert">{words.licencesFailed}</p>
      ) : (
        <loaded.List />
      )}
    </Card>
  );
};
