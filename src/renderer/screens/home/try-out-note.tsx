/** Notice that links of the built-in server work on this computer only, with a way to connect a server. */

import { Button } from '../../components/buttons/button.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useApp, useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './try-out-note.module.css';

export const TryOutNote = () => {
  const { view } = useAppStores();
  const { t } = useLocale();
  const isTryOut = useApp(({ connection }) => connection.state === 'connected' && connection.keyPlace === 'embedded');
  if (!isTryOut) return null;
  return (
    <div className={styles.note}>
      <p>{t.queue.tryOut}</p>
      <Button tone="quiet" onPress={view.connect}>
        {t.queue.tryOutAction}
      </Button>
    </div>
  );
};
