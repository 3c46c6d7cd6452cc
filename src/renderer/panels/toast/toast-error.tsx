/** Short error of a capture without a link, and what to do about it. */

import { RotateCcw } from 'lucide-react';
import type { ItemId } from '../../../api/ids.ts';
import { Button } from '../../components/buttons/button.tsx';
import { useLocale } from '../../locales/locale.tsx';
import type { ItemProblem } from '../../stores/queue/item-view.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';
import { useNow } from '../../stores/use-now.ts';
import styles from './toast-card.module.css';

const SECOND_MS = 1_000;

interface ToastErrorProps {
  readonly id: ItemId;
  readonly error: ItemProblem;
  readonly openApp: (where: 'home' | 'connect') => void;
}

export const ToastError = ({ id, error, openApp }: ToastErrorProps) => {
  const { engine } = useAppStores();
  const { t, format, failure: describe } = useLocale();
  const { title, advice } = describe(error.failure);
  const now = useNow(error.retryAt === null ? null : SECOND_MS);
  const seconds = error.retryAt === null ? 0 : Math.ceil((error.retryAt - now) / SECOND_MS);
  const words = t.queue.remedies;
  const [first] = error.remedies;
  return (
    <div className={styles.trouble}>
      <p className={styles.failure}>
        {title}. {error.retryAt === null ? advice : ''}
        {seconds > 0 && `${t.queue.retryIn(format.duration(seconds))}.`}
      </p>
      <div className={styles.remedies}>
        {error.remedies.includes('retry') && (
          <Button
            tone={first === 'retry' && error.retryAt === null ? 'primary' : 'outline'}
            icon={RotateCcw}
            onPress={() => void engine.run('queue.retry', { ids: [id] })}
          >
            {error.retryAt === null ? words.retry : words.retryNow}
          </Button>
        )}
        {first === 'reconnect' && (
          <Button tone="primary" onPress={() => openApp('connect')}>
            {words.reconnect}
          </Button>
        )}
        {(first === 'settings' || first === 'room' || first === 'remove') && (
          <Button tone="outline" onPress={() => openApp('home')}>
            {t.panels.toast.openApp}
          </Button>
        )}
      </div>
    </div>
  );
};
