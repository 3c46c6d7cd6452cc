/** Which captures and recordings still have their little notice: those made while this page is open, until it is closed. */

import { createStore } from 'zustand/vanilla';
import type { ItemId } from '../../contract/ids.ts';
import type { QueueItem } from '../../contract/queue-item.ts';
import type { AppState } from '../../contract/state.ts';

/** A page may be opened for the very capture that it is to tell of. */
const BEFORE_PAGE_MS = 15_000;

interface CaptureToastState {
  readonly closed: ReadonlySet<ItemId>;
}

type Told = Pick<AppState, 'queue' | 'settings'>;

/** `now` is in milliseconds since 1970, as the items' times are. */
export const createCaptureToasts = ({ now }: { readonly now: () => number }) => {
  const since = now() - BEFORE_PAGE_MS;
  const store = createStore<CaptureToastState>(() => ({ closed: new Set() }));

  const isTold = (item: QueueItem, closed: ReadonlySet<ItemId>): boolean =>
    item.origin !== undefined && item.createdAt >= since && item.intent !== 'cancel' && !closed.has(item.id);

  /** Oldest first. */
  const itemsOf = ({ queue, settings }: Told, { closed }: CaptureToastState): readonly QueueItem[] =>
    settings.toast === 'hide'
      ? []
      : queue.items.filter((item) => isTold(item, closed)).toSorted((a, b) => a.createdAt - b.createdAt);

  return {
    store,
    itemsOf,
    /** Whether a notice tells what becomes of this item, so that no other message has to. */
    tells: (app: Told, id: ItemId): boolean => itemsOf(app, store.getState()).some((item) => item.id === id),
    close: (id: ItemId): void => store.setState(({ closed }) => ({ closed: new Set([...closed, id]) })),
  };
};

export type CaptureToasts = ReturnType<typeof createCaptureToasts>;
