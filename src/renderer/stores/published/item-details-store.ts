/**
 * Store of the item whose page is shown: from the local library immediately, then refreshed from the service,
 * repeatedly while a video is in processing.
 */

import { createStore } from 'zustand/vanilla';
import type { Failure } from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { LibraryItem } from '../../../ipc/protocol/library-item.ts';

/** Polling delays for a video in processing; the last one repeats. */
const PROCESSING_MS = [1_000, 2_000, 3_000, 5_000, 10_000] as const;

export interface ItemDetailsState {
  /** Null: no item page is shown. */
  readonly id: ItemId | null;
  /** `unknown`: the profile has no such item. `removed`: it had one when the page was opened. */
  readonly phase: 'reading' | 'there' | 'unknown' | 'removed';
  /** A removed item in its last state. */
  readonly item: LibraryItem | null;
  /** Why it could not be loaded or refreshed. */
  readonly failure: Failure | null;
  readonly isRefreshing: boolean;
}

const CLOSED: ItemDetailsState = { id: null, phase: 'reading', item: null, failure: null, isRefreshing: false };

export const createItemDetailsStore = ({ transport }: { readonly transport: PageTransport }) => {
  const store = createStore<ItemDetailsState>(() => CLOSED);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looks = 0;
  let last: ItemId | null = null;

  const isShown = (id: ItemId): boolean => store.getState().id === id;

  const applyItem = (item: LibraryItem): void => {
    if (!isShown(item.id)) return;
    store.setState({ item, phase: 'there' });
    followProcessing(item);
  };

  const followProcessing = ({ id, content, goneAt }: LibraryItem): void => {
    clearTimeout(timer);
    if (content.mediaStatus !== 'PROCESSING' || goneAt !== null) return;
    const pause = PROCESSING_MS[Math.min(looks, PROCESSING_MS.length - 1)];
    timer = setTimeout(() => {
      looks += 1;
      void refresh(id);
    }, pause);
  };

  const read = async (id: ItemId): Promise<void> => {
    const found = await transport.call('library.find', { link: id });
    if (!isShown(id)) return;
    if (!found.ok) return store.setState({ failure: found.error });
    if (found.value.item) return applyItem(found.value.item);
    clearTimeout(timer);
    store.setState(({ item }) => ({ phase: item === null ? 'unknown' : 'removed', failure: null }));
  };

  const refresh = async (id: ItemId): Promise<void> => {
    store.setState({ isRefreshing: true });
    const asked = await transport.call('library.refresh', { ids: [id] });
    if (!isShown(id)) return;
    const [answer] = asked.ok ? asked.value.answers : [];
    store.setState({ isRefreshing: false, failure: asked.ok ? (answer?.failure ?? null) : asked.error });
    if (answer?.item) return applyItem(answer.item);
    const { phase, item } = store.getState();
    if (phase === 'there' && item) followProcessing(item);
  };

  transport.on((event) => {
    const { id } = store.getState();
    if (id !== null && (event.type === 'library' || (event.type === 'linked' && event.id === id))) void read(id);
  });

  return {
    store,
    open: async (id: ItemId): Promise<void> => {
      looks = 0;
      clearTimeout(timer);
      store.setState({ ...CLOSED, id });
      await read(id);
      if (isShown(id) && store.getState().phase === 'there') await refresh(id);
    },
    close: (id: ItemId): void => {
      if (!isShown(id)) return;
      clearTimeout(timer);
      last = id;
      store.setState(CLOSED);
    },
    /** The item whose page was left last, returned once, so that its link gets the focus back. */
    takeLast: (): ItemId | null => {
      const left = last;
      last = null;
      return left;
    },
    /** Refreshes the item from the service. */
    refresh: async (): Promise<void> => {
      const { id } = store.getState();
      looks = 0;
      if (id !== null) await refresh(id);
    },
    /** Updates items with the service's current data. */
    applyItems: (items: readonly LibraryItem[]): void => items.forEach(applyItem),
  };
};

export type ItemDetailsStore = ReturnType<typeof createItemDetailsStore>;
