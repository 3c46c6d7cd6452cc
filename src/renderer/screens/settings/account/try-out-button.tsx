/**
 * Button that starts the built-in server and connects to its ready account, so that the app can be tried without a
 * service.
 */

import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/buttons/button.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import { useAppStores } from '../../../stores/use-app-stores.tsx';

export const TryOutButton = () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  const [isBusy, setBusy] = useState(false);
  const begin = async () => {
    setBusy(true);
    await engine.run('connection.tryOut', {});
    setBusy(false);
  };
  return (
    <Button icon={FlaskConical} isPending={isBusy} onPress={() => void begin()}>
      {t.settingsMore.account.tryOut}
    </Button>
  );
};
