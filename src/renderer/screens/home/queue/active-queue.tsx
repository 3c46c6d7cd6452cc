/** What is still to do, in its order: files being received first, then the queue. */

import { Pause, Play } from 'lucide-react';
import type { QueueItem } from '../../../../ipc/protocol/queue-item.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { Button } from '../../../components/buttons/button.tsx';
import type { Offer } from '../../../stores/file-input/pending-files.ts';
import { useApp, usePage } from '../../../stores/use-app-stores.tsx';
import styles from '../section.module.css';
import { placeOf } from './move-menu.tsx';
import { OfferRow } from './pending-file-row.tsx';
import { OverallProgress } from './overall-progress.tsx';
import { QueueRow } from './queue-row.tsx';
import { useReorder } from './use-reorder.ts';

interface ActiveQueueProps {
  readonly items: readonly QueueItem[];
  readonly offers: readonly Offer[];
  readonly onDetails: (id: QueueItem['id']) => void;
}

export const ActiveQueue = ({ items, offers, onDetails }: ActiveQueueProps) => {
  const { engine } = usePage();
  const { t, format } = useLocale();
  const paused = useApp(({ queue }) => queue.paused);
  const reorder = useReorder(items);
  const bytes = [...items, ...offers].reduce((sum, { size }) => sum + size, 0);

  return (
    <section aria-labelledby="queue-title">
      <div className={styles.head}>
        <h2 id="queue-title">{t.queue.title}</h2>
        <span className={styles.aside}>{t.queue.summary(items.length + offers.length, format.bytes(bytes))}</span>
        <Button
          tone="quiet"
          icon={paused ? Play : Pause}
          onPress={() => void engine.run(paused ? 'queue.resumeAll' : 'queue.pauseAll', {})}
        >
          {paused ? t.queue.resumeAll : t.queue.pauseAll}
        </Button>
      </div>
      <OverallProgress />
      {paused && <p className={styles.note}>{t.queue.pausedHint}</p>}
      <ul className={styles.list} aria-labelledby="queue-title">
        {offers.map((offer) => (
          <OfferRow key={offer.id} offer={offer} />
        ))}
        {items.map((item, index) => (
          <QueueRow
            key={item.id}
            item={item}
            place={placeOf(index, items.length)}
            reorder={reorder}
            onDetails={onDetails}
          />
        ))}
      </ul>
    </section>
  );
};
