/**
 * Hook for the view model of a queue item. It changes only with the item, its progress, the pause of the queue, or the
 * state of the connection.
 */
import { useMemo } from 'react';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';
import { useApp } from '../use-app-stores.tsx';
import { type ItemView, viewItem } from './item-view.ts';

export const useItemView = (item: QueueItem): ItemView => {
  const live = useApp(({ queue }) => queue.live[item.id]);
  const paused = useApp(({ queue }) => queue.paused);
  const connection = useApp((app) => app.connection.state);
  return useMemo(() => viewItem(item, live, { paused, connection }), [item, live, paused, connection]);
};
