/** The list of unfinished items in order: files still being read, then the queue. */
import { Pause, Play, RotateCcw, X } from 'lucide-react';
import { memo } from 'react';
import type { QueueItem } from '../../../../ipc/protocol/queue-item.ts';
import { Alert } from '../../../components/alert.tsx';
import { Button, IconButton } from '../../../components/buttons/button.tsx';
import { kindOfName } from '../../../components/indicators/kind-of-name.ts';
import { MetaLine } from '../../../components/indicators/meta-line.tsx';
import { ProgressBar } from '../../../components/indicators/progress.tsx';
import { Thumbnail } from '../../../components/indicators/thumbnail.tsx';
import { VisuallyHidden } from '../../../components/indicators/visually-hidden.tsx';
import { useLocale } from '../../../locales/locale.tsx';
import type { PendingFile } from '../../../stores/file-input/pending-files.ts';
import { isAway } from '../../../stores/queue/connectivity.ts';
import { remediesOf } from '../../../stores/queue/item-view.ts';
import { useConnectivity } from '../../../stores/queue/use-connectivity.ts';
import { useApp, useAppStores } from '../../../stores/use-app-stores.tsx';
import { ConversionChoiceCard } from '../conversion-choice.tsx';
import styles from '../section.module.css';
import { OverallProgress } from './overall-progress.tsx';
import { queuePositionOf } from './queue-item-menu.tsx';
import { QueueRow } from './queue-row.tsx';
import rowStyles from './row.module.css';
import { useReorder } from './use-reorder.ts';

/** A file that the page is still reading, before it enters the queue. */
const PendingFileRow = memo(({ offer: file }: { readonly offer: PendingFile }) => {
  const { pendingFiles } = useAppStores();
  const { t, format, failure: describe } = useLocale();
  const { id, name, size, sentBytes, state, failure } = file;
  const fraction = size === 0 ? 0 : sentBytes / size;
  const text = failure && describe(failure);
  const words = t.intake.states[state];
  const isMoving = state === 'waiting' || state === 'sending';
  const amount = t.intake.received(format.bytes(sentBytes), format.bytes(size));

  return (
    <li className={rowStyles.row}>
      <Thumbnail src={null} kind={kindOfName(name)} />
      <div>
        <p className={rowStyles.name} title={name}>
          {name}
        </p>
        <MetaLine facts={text ? [format.bytes(size)] : [words, isMoving ? amount : format.bytes(size)]} />
      </div>
      {(isMoving || text) && (
        <div className={rowStyles.bar}>
          <ProgressBar
            label={t.queue.progress(name)}
            valueText={`${words}, ${format.percent(fraction)}`}
            fraction={fraction}
            tone={text ? 'bad' : 'still'}
          />
        </div>
      )}
      <div className={rowStyles.actions}>
        <IconButton icon={X} label={t.intake.cancel(name)} onPress={() => pendingFiles.cancel(id)} />
      </div>
      {state === 'asking' && <ConversionChoiceCard offer={file} />}
      {text && failure && (
        <div className={rowStyles.error} role="alert">
          <VisuallyHidden>{name}</VisuallyHidden>
          <Alert tone="bad" title={text.title} sentences={[t.intake.keptNothing, text.advice]} failure={failure}>
            {remediesOf(failure).includes('retry') && (
              <Button tone="primary" icon={RotateCcw} onPress={() => pendingFiles.retry(id)}>
                {t.intake.retry}
              </Button>
            )}
            <Button onPress={() => pendingFiles.cancel(id)}>{t.intake.remove}</Button>
          </Alert>
        </div>
      )}
    </li>
  );
});

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
  const reach = useConnectivity();
  const inBanner = new Set(isAway(reach) ? reach.ids : []);
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
            errorIn={inBanner.has(item.id) ? 'banner' : 'row'}
            onDetails={onDetails}
          />
        ))}
      </ul>
    </section>
  );
};
