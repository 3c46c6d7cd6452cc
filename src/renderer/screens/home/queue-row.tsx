/** One entry of the queue: what it is, what it is doing in words, how far it is, and what can be done about it. */

import { GripVertical, Pause, Play, X } from 'lucide-react';
import { type KeyboardEvent, useMemo } from 'react';
import type { QueueItem } from '../../../contract/queue-item.ts';
import { cx } from '../../design/cx.ts';
import { useLocale } from '../../locales/locale.tsx';
import { IconButton } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ProgressBar } from '../../parts/progress.tsx';
import { kindOfName, Thumbnail } from '../../parts/thumbnail.tsx';
import { type ItemView, viewItem } from '../../stores/item-view.ts';
import { useApp, usePage } from '../../stores/use-page.tsx';
import { madeInWords } from './made-facts.ts';
import { MoveMenu, type Place } from './move-menu.tsx';
import { QueueTrouble } from './queue-trouble.tsx';
import styles from './row.module.css';
import type { Reorder } from './use-reorder.ts';

interface QueueRowProps {
  readonly item: QueueItem;
  readonly place: Place;
  readonly reorder: Reorder;
}

/** The second line: state, amount, speed and time left, as far as they are known. */
const StateLine = ({ item, view }: { readonly item: QueueItem; readonly view: ItemView }) => {
  const { t, format } = useLocale();
  const total = format.bytes(item.size);
  const words = [
    t.queue.phase[view.phase],
    view.doneBytes > 0 && view.doneBytes < item.size ? t.queue.amount(format.bytes(view.doneBytes), total) : total,
    view.bytesPerSecond !== null && format.speed(view.bytesPerSecond),
    view.secondsLeft !== null && t.queue.timeLeft(format.duration(view.secondsLeft)),
    item.body !== null && madeInWords(item.body.made, { t, format }),
  ];
  const isLively = view.phase === 'sending' || view.phase === 'hashing' || view.phase === 'preparing';
  return <Facts facts={words} pace={isLively ? 'lively' : 'calm'} />;
};

const Progress = ({ item, view }: { readonly item: QueueItem; readonly view: ItemView }) => {
  const { t, format } = useLocale();
  const fraction = item.size === 0 ? 0 : view.doneBytes / item.size;
  const isMoving = view.phase === 'sending' || view.phase === 'completing';
  return (
    <div className={styles.bar}>
      <ProgressBar
        label={t.queue.progress(item.name)}
        valueText={`${t.queue.phase[view.phase]}, ${format.percent(fraction)}`}
        fraction={view.phase === 'completing' ? null : fraction}
        tone={view.phase === 'stuck' || view.phase === 'unreadable' ? 'bad' : isMoving ? 'moving' : 'still'}
      />
    </div>
  );
};

export const QueueRow = ({ item, place, reorder }: QueueRowProps) => {
  const { engine, addresses } = usePage();
  const { t } = useLocale();
  const live = useApp(({ queue }) => queue.live[item.id]);
  const paused = useApp(({ queue }) => queue.paused);
  const connection = useApp((app) => app.connection.state);
  const view = useMemo(() => viewItem(item, live, { paused, connection }), [item, live, paused, connection]);
  const ids = [item.id];

  const moveByKey = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    reorder.move(item, event.key === 'ArrowUp' ? 'up' : 'down');
  };

  return (
    <li
      className={cx(
        styles.row,
        reorder.dragged === item.id && styles.dragged,
        reorder.hover?.id === item.id && reorder.dragged !== item.id && styles[reorder.hover.edge],
      )}
      onKeyDown={moveByKey}
      onDragOver={(event) => reorder.over(item.id, event)}
      onDrop={reorder.drop}
    >
      <Thumbnail src={addresses.thumbnailUrl(item.id)} kind={kindOfName(item.name)} stage={item.state} />
      <div>
        <p className={styles.name} title={item.name}>
          {item.name}
        </p>
        <StateLine item={item} view={view} />
      </div>
      <Progress item={item} view={view} />
      <div className={styles.actions}>
        <span
          className={styles.grip}
          draggable
          aria-hidden
          onDragStart={(event) => reorder.start(item.id, event)}
          onDragEnd={reorder.end}
        >
          <GripVertical size={16} />
        </span>
        {view.toggle === 'pause' && (
          <IconButton
            icon={Pause}
            label={t.queue.actions.pause(item.name)}
            onPress={() => void engine.run('queue.pause', { ids })}
          />
        )}
        {view.toggle === 'resume' && (
          <IconButton
            icon={Play}
            label={t.queue.actions.resume(item.name)}
            onPress={() => void engine.run('queue.resume', { ids })}
          />
        )}
        <IconButton
          icon={X}
          label={t.queue.actions.cancel(item.name)}
          isDisabled={view.phase === 'cancelling'}
          onPress={() => void engine.run('queue.cancel', { ids })}
        />
        <MoveMenu name={item.name} place={place} onMove={(to) => reorder.move(item, to)} />
      </div>
      {view.trouble && <QueueTrouble item={item} trouble={view.trouble} phase={view.phase} />}
    </li>
  );
};
