/** Says honestly how far a link of the built-in server reaches, and how to get further. */

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
