/** Hook that reorders queue items by menu, keyboard and dragging. */

import { type DragEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { ItemId } from '../../../../api/ids.ts';
import type { QueueItem } from '../../../../ipc/protocol/queue-item.ts';
import { OWN_DRAG } from '../../../file-input/data-transfer.ts';
import { placeAfterMove } from '../../../stores/queue/queue-order.ts';
import { useAppStores } from '../../../stores/use-app-stores.tsx';

interface Hover {
  readonly id: ItemId;
  readonly edge: 'before' | 'after';
}

export interface Reorder {
  readonly move: (item: QueueItem, to: 'top' | 'up' | 'down' | 'end') => void;
  readonly dragged: ItemId | null;
  readonly hover: Hover | null;
  readonly start: (id: ItemId, event: DragEvent) => void;
  readonly over: (id: ItemId, event: DragEvent) => void;
  readonly drop: (event: DragEvent) => void;
  readonly end: () => void;
}

/** Its result is stable while nothing is dragged, even when the queue changes. */
export const useReorder = (items: readonly QueueItem[]): Reorder => {
  const { engine, toasts } = useAppStores();
  const [dragged, setDragged] = useState<ItemId | null>(null);
  const [hover, setHover] = useState<Hover | null>(null);

  const latest = useRef(items);
  useEffect(() => {
    latest.current = items;
  }, [items]);

  return useMemo(() => {
    const place = async (id: ItemId, before: ItemId | null, position: number): Promise<void> => {
      const items = latest.current;
      const name = items.find((item) => item.id === id)?.name ?? '';
      const moved = await engine.run('queue.move', { id, before });
      if (moved !== null) toasts.announce({ kind: 'moved', name, position, total: items.length });
    };
    const end = () => {
      setDragged(null);
      setHover(null);
    };
    return {
      dragged,
      hover,
      end,
      move: ({ id }, to) => {
        const target = placeAfterMove(latest.current, id, to);
        if (target) void place(id, target.before, target.position);
      },
      start: (id, event) => {
        event.dataTransfer.setData(OWN_DRAG, id);
        event.dataTransfer.effectAllowed = 'move';
        const row = event.currentTarget.closest('li');
        if (row) event.dataTransfer.setDragImage(row, row.clientWidth - 24, 24);
        setDragged(id);
      },
      over: (id, event) => {
        if (dragged === null) return;
        event.preventDefault();
        const { top, height } = event.currentTarget.getBoundingClientRect();
        const edge = event.clientY < top + height / 2 ? 'before' : 'after';
        setHover((known) => (known?.id === id && known.edge === edge ? known : { id, edge }));
      },
      drop: (event) => {
        if (dragged === null || hover === null) return;
        event.preventDefault();
        end();
        const others = latest.current.filter(({ id }) => id !== dragged);
        const index = others.findIndex(({ id }) => id === hover.id);
        if (index === -1) return;
        const target = hover.edge === 'before' ? index : index + 1;
        void place(dragged, others[target]?.id ?? null, target + 1);
      },
    };
  }, [engine, toasts, dragged, hover]);
};
