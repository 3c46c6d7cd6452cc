/**
 * Hook for dragging a published item out of the app: in the desktop app as the user's own file while the item is in the
 * queue, otherwise as its link.
 */

import type { DragEvent } from 'react';
import type { ItemId } from '../../api/ids.ts';
import { useApp, useAppStores } from '../stores/use-app-stores.tsx';
import { OWN_DRAG } from './data-transfer.ts';

/** Props of the draggable element. */
export interface DragOut {
  readonly draggable: true;
  readonly onDragStart: (event: DragEvent) => void;
}

/** Mouse only: copying and opening the link have their own controls. */
export const useDragOut = (id: ItemId, url: string): DragOut => {
  const { dragFile } = useAppStores();
  const hasFile = useApp(({ queue }) =>
    queue.items.some((item) => item.id === id && item.source.owner === 'user' && item.job.kind === 'file'),
  );
  return {
    draggable: true,
    onDragStart(event) {
      if (dragFile && hasFile) {
        // The system's native drag replaces the browser's.
        event.preventDefault();
        dragFile(id);
        return;
      }
      event.dataTransfer.effectAllowed = 'copyLink';
      event.dataTransfer.setData(OWN_DRAG, id);
      event.dataTransfer.setData('text/uri-list', url);
      event.dataTransfer.setData('text/plain', url);
    },
  };
};
