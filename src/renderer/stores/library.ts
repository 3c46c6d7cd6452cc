/** The published items that match the search, page by page. The newest answer wins, however late an older one comes. */

import { createStore } from 'zustand/vanilla';
import type { PageTransport } from '../../bridge/transport.ts';
import type { Failure } from '../../contract/errors.ts';
import type { LibraryItem } from '../../contract/state.ts';

/** Long enough to type two letters, short enough to feel immediate. */
const DEBOUNCE_MS = 150;

export interface LibraryState {
  readonly text: string;
  /** The text that `items` answer; it follows `text` after the pause in typing. */
  readonly answered: string | null;
  readonly items: readonly LibraryItem[];
  readonly total: number;
  readonly nextCursor: string | null;
  readonly loading: 'no' | 'first' | 'more';
  readonly failure: Failure | null;
}

export const createLibrary = ({ transport }: { transport: PageTransport }) => {
  const store = createStore<LibraryState>(() => ({
    text: '',
    answered: null,
    items: [],
    total: 0,
    nextCursor: null,
    loading: 'no',
    failure: null,
  }));
  let latest = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;

  const load = async (): Promise<void> => {
    clearTimeout(pause);
    latest += 1;
    const asked = latest;
    const { text } = store.getState();
    store.setState({ loading: 'first' });
    const result = await transport.call('library.search', { text });
    if (asked !== latest) return;
    if (result.ok) store.setState({ ...result.value, answered: text, loading: 'no', failure: null });
    else store.setState({ loading: 'no', failure: result.error });
  };

  return {
    store,
    /** Reads the first page anew: when the screen is shown and when something was published. */
    load,
    search: (text: string): void => {
      store.setState({ text });
      clearTimeout(pause);
      pause = setTimeout(() => void load(), DEBOUNCE_MS);
    },
    loadMore: async (): Promise<void> => {
      const { nextCursor, loading, answered } = store.getState();
      if (nextCursor === null || answered === null || loading !== 'no') return;
      const asked = latest;
      store.setState({ loading: 'more' });
      const result = await transport.call('library.search', { text: answered, cursor: nextCursor });
      if (asked !== latest) return;
      if (!result.ok) return store.setState({ loading: 'no', failure: result.error });
      const { items, total, nextCursor: next } = result.value;
      store.setState((state) => {
        const known = new Set(state.items.map(({ id }) => id));
        const fresh = items.filter(({ id }) => !known.has(id));
        return { items: [...state.items, ...fresh], total, nextCursor: next, loading: 'no', failure: null };
      });
    },
  };
};

export type Library = ReturnType<typeof createLibrary>;
