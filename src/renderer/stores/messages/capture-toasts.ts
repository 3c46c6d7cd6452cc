/**
 * Store of the open toasts of captures and recordings, including captures that were copied or saved without a link.
 * Includes items added up to 15 seconds before the page opened, because a capture may open the page.
 */

import { createStore } from 'zustand/vanilla';
import type { CaptureId, ItemId } from '../../../api/ids.ts';
import type { Transport } from '../../../ipc/client/transport.ts';
import type { AppState } from '../../../ipc/protocol/app-state.ts';
import type { AppEvent } from '../../../ipc/protocol/command-table.ts';
import type { QueueItem } from '../../../ipc/protocol/queue-item.ts';

/** A page may be opened by the very capture it should show. */
const BEFORE_PAGE_MS = 15_000;

export type KeptCapture = Omit<Extract<AppEvent, { type: 'kept' }>, 'type'>;

interface CaptureToastState {
  /** Oldest first. */
  readonly kept: readonly KeptCapture[];
  readonly closed: ReadonlySet<ItemId>;
}

type QueueAndSettings = Pick<AppState, 'queue' | 'settings'>;

interface Deps {
  readonly transport: Pick<Transport, 'on'>;
  readonly now: () => number;
}

/** `now`: milliseconds since 1970-01-01 UTC, like the items' times. */
export const createCaptureToasts = ({ transport, now }: Deps) => {
  const since = now() - BEFORE_PAGE_MS;
  const store = createStore<CaptureToastState>(() => ({ kept: [], closed: new Set() }));

  transport.on((event) => {
    if (event.type !== 'kept') return;
    const { type: _, ...capture } = event;
    // A page opened for the capture may receive the event twice.
    store.setState(({ kept }) => ({ kept: [...kept.filter(({ id }) => id !== capture.id), capture] }));
  });

  const hasToast = (item: QueueItem, closed: ReadonlySet<ItemId>): boolean =>
    item.origin !== undefined && item.createdAt >= since && item.intent !== 'cancel' && !closed.has(item.id);

  /** Oldest first. */
  const itemsOf = ({ queue, settings }: QueueAndSettings, { closed }: CaptureToastState): readonly QueueItem[] =>
    settings.toast === 'hide'
      ? []
      : queue.items.filter((item) => hasToast(item, closed)).toSorted((a, b) => a.createdAt - b.createdAt);

  return {
    store,
    itemsOf,
    /** Whether a toast already shows this item, so that no other message is needed. */
    shows: (app: QueueAndSettings, id: ItemId): boolean =>
      itemsOf(app, store.getState()).some((item) => item.id === id),
    closeKept: (id: CaptureId): void =>
      store.setState(({ kept }) => ({ kept: kept.filter((capture) => capture.id !== id) })),
    close: (id: ItemId): void => store.setState(({ closed }) => ({ closed: new Set([...closed, id]) })),
  };
};

export type CaptureToasts = ReturnType<typeof createCaptureToasts>;
