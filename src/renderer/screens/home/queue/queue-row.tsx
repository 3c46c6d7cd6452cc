/**
 * Row of one queue item: name, state, progress and actions. Also shows its error, unless the window's banner reports it
 * for all items.
 */

import { GripVertical, Pause, Play, X } from 'lucide-react';
import { type KeyboardEvent, memo } from 'react';
import { Button } from 'react-aria-components/Button';
import type { QueueItem } from '../../../../ipc/protocol/queue-item.ts';
import { IconButton } from '../../../components/buttons/button.tsx';
import { kindOfName } from '../../../components/indicators/kind-of-name.ts';
import { Thumbnail } from '../../../components/indicators/thumbnail.tsx';
import { cx } from '../../../design/class-names.ts';
import { useLocale } from '../../../locales/locale.tsx';
import { useItemView } from '../../../stores/queue/use-item-view.ts';
import { useAppStores, useThumbnail } from '../../../stores/use-app-stores.tsx';
import { QueueItemError } from './queue-item-error.tsx';
import { QueueItemMenu, type QueuePosition } from './queue-item-menu.tsx';
import { Progress, StateLine } from './queue-item-progress.tsx';
import styles from './row.module.css';
import type { Reorder } from './use-reorder.ts';

interface QueueRowProps {
  readonly item: QueueItem;
  readonly place: QueuePosition;
  readonly reorder: Reorder;
  readonly errorIn: 'row' | 'banner';
  readonly onDetails: (id: QueueItem['id']) => void;
}

export const QueueRow = memo(({ item, place, reorder, errorIn, onDetails }: QueueRowProps) => {
  const { engine, pictureText } = useAppStores();
  const { t } = useLocale();
  const view = useItemView(item);
  const ids = [item.id];

  const moveByKey = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    // In the capture phase, because the menu's own button would open on these keys.
    event.preventDefault();
    event.stopPropagation();
    reorder.move(item, event.key === 'ArrowUp' ? 'up' : 'down');
  };

  return (
    <li
      className={cx(
        styles.row,
        reorder.dragged === item.id && styles.dragged,
        reorder.hover?.id === item.id && reorder.dragged !== item.id && styles[reorder.hover.edge],
      )}
      onKeyDownCapture={moveByKey}
      onDragOver={(event) => reorder.over(item.id, event)}
      onDrop={reorder.drop}
    >
      <Thumbnail src={useThumbnail(item.id)} kind={kindOfName(item.name)} />
      <div>
        <Button className={cx(styles.name, styles.opens)} onPress={() => onDetails(item.id)} aria-haspopup="dialog">
          <span title={item.name}>{item.name}</span>
        </Button>
        <StateLine item={item} view={view} />
      </div>
      <div className={styles.bar}>
        <Progress item={item} view={view} />
      </div>
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
          isDisabled={view.phase === 'cancelling' && view.error === null}
          onPress={() => void engine.run('queue.cancel', { ids })}
        />
        <QueueItemMenu
          name={item.name}
          place={place}
          onMove={(to) => reorder.move(item, to)}
          onCopyText={
            kindOfName(item.name) === 'IMAGE'
              ? () => void pictureText.copyFrom({ from: 'item', id: item.id })
              : undefined
          }
        />
      </div>
      {view.error && errorIn === 'row' && <QueueItemError item={item} error={view.error} phase={view.phase} />}
    </li>
  );
});
