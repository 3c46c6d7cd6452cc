/** Stands where the queue would be when there is none. */

import { useLocale } from '../../locales/locale.tsx';
import { Button } from '../../components/buttons/button.tsx';
import { usePage } from '../../stores/use-app-stores.tsx';
import styles from './empty-queue.module.css';

export const QuietNote = () => {
  const { view } = usePage();
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
