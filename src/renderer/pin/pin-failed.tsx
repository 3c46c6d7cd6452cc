/** Fallback of a pinned image that fails to render: it can be closed. */

import { X } from 'lucide-react';
import { Button } from '../components/buttons/button.tsx';
import { useLocale } from '../locales/locale.tsx';
import { useAppStores } from '../stores/use-app-stores.tsx';
import styles from './pinned-image.module.css';

export const createPinFailed = (id: string) => () => {
  const { engine } = useAppStores();
  const { t } = useLocale();
  return (
    <main className={styles.missing}>
      <p>{t.pin.gone}</p>
      <Button icon={X} onPress={() => void engine.ask('pin.act', { id, action: 'close' })}>
        {t.pin.close}
      </Button>
    </main>
  );
};
