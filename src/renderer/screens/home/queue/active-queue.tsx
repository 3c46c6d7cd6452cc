/** Unfinished items in order: files still being read, then the queue. */

import { Pause, Play } from 'lucide-react';
import type { QueueItem } from '../../../../ipc/protocol/queue-item.ts';
import { Button } from '../../../components/buttons/button.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import type { PendingFile } from '../../../stores/file-input/pending-files.ts';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import styles from '../section.module.css';
import { queuePositionOf } from './move-menu.tsx';
import { OverallProgress } from './overall-progress.tsx';
import { PendingFileRow } from './pending-file-row.tsx';
import { QueueRow } from './queue-row.tsx';
import { useReorder } from './use-reorder.ts';

interface ActiveQueueProps {
  readonly items: readonly QueueItem[];
  readonly pendingFiles: readonly PendingFile[];
  readonly onDetails: (id: QueueItem['id']) => void;
}

export const ActiveQueue = ({ items, pendingFiles, onDetails }: ActiveQueueProps) => {
  const { engine } = useAppStores();
  const { t, format } = useLocale();
  const paused = useApp(({ queue }) => queue.paused);
  const reorder = useReorder(items);
  const bytes = [...items, ...pendingFiles].reduce((sum, { size }) => sum + size, 0);

  return (
    <section aria-labelledby="queue-title">
      <div className={styles.head}>
        <h2 id="queue-title">{t.queue.title}</h2>
        <span className={styles.aside}>{t.queue.summary(items.length + pendingFiles.length, format.bytes(bytes))}</span>
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
        {pendingFiles.map((file) => (
          <PendingFileRow key={file.id} offer={file} />
        ))}
        {items.map((item, index) => (
          <QueueRow
            key={item.id}
            item={item}
            place={queuePositionOf(index, items.length)}
            reorder={reorder}
            onDetails={onDetails}
          />
        ))}
      </ul>
    </section>
  );
};
