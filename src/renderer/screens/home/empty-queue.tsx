/** Placeholder of the empty queue. */

import { Button } from '../../components/buttons/button.tsx';
import { useLocale } from '../../locales/locale.tsx';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import styles from './empty-queue.module.css';

export const EmptyQueue = () => {
  const { view } = useAppStores();
  const words = useLocale().t.welcome;
  return (
    <div className={styles.note}>
      <p>{words.quiet}</p>
      <Button tone="quiet" onPress={() => view.show('library')}>
        {words.quietAction}
      </Button>
    </div>
  );
};
