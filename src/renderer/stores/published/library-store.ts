/**
 * Store of the library: published items that match search and filters, loaded in pages, with the selection. Only the
 * response to the latest query counts.
 */

import { createStore } from 'zustand/vanilla';
import type { ContentType, Visibility } from '../../../api/content.ts';
import type { Failure } from '../../../api/errors.ts';
import type { ItemId } from '../../../api/ids.ts';
import type { PageTransport } from '../../../ipc/client/transport.ts';
import type { CommandInput } from '../../../ipc/protocol/command-table.ts';
import type { LibraryItem } from '../../../ipc/protocol/library-item.ts';

// Date ranges that end now, for the library filter.

export const DATE_RANGES = ['today', 'week', 'month', 'year'] as const;
type DateRange = (typeof DATE_RANGES)[number];

const DAYS: Record<DateRange, number> = { today: 0, week: 6, month: 29, year: 364 };

/** The local midnight at which the range begins. Milliseconds since 1970-01-01 UTC. */
const startOf = (period: DateRange, now: Date): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS[period]).getTime();

/** Long enough to type two letters, short enough to feel immediate. */
const DEBOUNCE_MS = 150;
/** Far more than a screen shows, so that scrolling rarely waits. */
const PAGE = 200;

type Query = CommandInput<'library.search'>;
export const SORTS = ['newest', 'oldest', 'title', 'largest', 'most-viewed'] as const;
export const STATES = ['live', 'protected', 'gone'] as const;

/** Active filters; null: no filter. */
interface Filters {
  readonly kind: ContentType | null;
  readonly visibility: Visibility | null;
  readonly state: (typeof STATES)[number] | null;
  readonly period: DateRange | null;
  readonly sort: (typeof SORTS)[number];
}

const NO_FILTERS: Filters = { kind: null, visibility: null, state: null, period: null, sort: 'newest' };

export const isNarrowed = ({ kind, visibility, state, period }: Filters): boolean =>
  kind !== null || visibility !== null || state !== null || period !== null;

/** The query that `items` answers. */
interface LibraryQuery {
  readonly text: string;
  readonly filters: Filters;
}

export interface LibraryState extends LibraryQuery {
  /** Follows `text` and `filters` after the debounce. */
  readonly answered: LibraryQuery | null;
  readonly items: readonly LibraryItem[];
  readonly total: number;
  readonly nextCursor: string | null;
  readonly loading: 'no' | 'first' | 'more';
  readonly failure: Failure | null;
  readonly selected: ReadonlySet<ItemId>;
}

interface Deps {
  readonly transport: PageTransport;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly now: () => number;
}

export const createLibrary = ({ transport, now }: Deps) => {
  const store = createStore<LibraryState>(() => ({
    text: '',
    filters: NO_FILTERS,
    answered: null,
    items: [],
    total: 0,
    nextCursor: null,
    loading: 'no',
    failure: null,
    selected: new Set(),
  }));
  /** Counts the loads; the response of an older one is ignored. */
  let latest = 0;
  /** Counts changes of the selection or the query, which end a selection of all matches that still loads. */
  let selectionVersion = 0;
  let reading: Promise<void> = Promise.resolve();
  let pause: ReturnType<typeof setTimeout> | undefined;
  /** Anchor of a range selection with Shift. */
  let anchor: ItemId | null = null;

  const queryOf = ({ text, filters }: LibraryQuery): Query => ({
    text,
    sort: filters.sort,
    ...(filters.kind && { kinds: [filters.kind] }),
    ...(filters.visibility && { visibility: filters.visibility }),
    ...(filters.state && { state: filters.state }),
    ...(filters.period && { from: startOf(filters.period, new Date(now())) }),
  });

  /** Items no longer listed are deselected: the user must see what an action affects. */
  const stillListed = (items: readonly LibraryItem[], chosen: ReadonlySet<ItemId>): ReadonlySet<ItemId> =>
    chosen.size === 0 ? chosen : new Set(items.flatMap(({ id }) => (chosen.has(id) ? [id] : [])));

  const read = async (): Promise<void> => {
    clearTimeout(pause);
    latest += 1;
    const asked = latest;
    const { text, filters, answered, items: before } = store.getState();
    const query = { text, filters };
    const isSame = answered?.text === text && answered.filters === filters;
    // A reloaded list keeps the length the user has scrolled to.
    const wanted = isSame ? before.length : 0;
    store.setState({ loading: 'first' });
    const items: LibraryItem[] = [];
    let cursor: string | null = null;
    let total = 0;
    do {
      const page: Query = { ...queryOf(query), limit: PAGE, ...(cursor !== null && { cursor }) };
      const result = await transport.call('library.search', page);
      if (asked !== latest) return;
      if (!result.ok) return store.setState({ loading: 'no', failure: result.error });
      items.push(...result.value.items);
      cursor = result.value.nextCursor;
      total = result.value.total;
    } while (cursor !== null && items.length < wanted);
    store.setState(({ selected }) => ({
      ...{ items, total, nextCursor: cursor, answered: query, loading: 'no', failure: null },
      selected: stillListed(items, selected),
    }));
  };

  const load = (): Promise<void> => {
    reading = read();
    return reading;
  };

  const readMore = async (): Promise<void> => {
    const { nextCursor, loading, answered } = store.getState();
    if (nextCursor === null || answered === null || loading !== 'no') return;
    const asked = latest;
    store.setState({ loading: 'more' });
    const query = { ...queryOf(answered), cursor: nextCursor, limit: PAGE };
    const result = await transport.call('library.search', query);
    if (asked !== latest) return;
    if (!result.ok) return store.setState({ loading: 'no', failure: result.error });
    const { items, total, nextCursor: next } = result.value;
    store.setState((state) => {
      const known = new Set(state.items.map(({ id }) => id));
      const added = items.filter(({ id }) => !known.has(id));
      return { items: [...state.items, ...added], total, nextCursor: next, loading: 'no', failure: null };
    });
  };

  const loadMore = (): Promise<void> => {
    if (store.getState().loading === 'no') reading = readMore();
    return reading;
  };

  const setSelected = (chosen: Iterable<ItemId>): void => {
    selectionVersion += 1;
    store.setState({ selected: new Set(chosen) });
  };

  /** Selects all matches, including those not loaded yet: the listed ones immediately, the rest once loaded. */
  const selectAll = async (): Promise<void> => {
    const listed = (): void => setSelected(store.getState().items.map(({ id }) => id));
    listed();
    const mine = selectionVersion;
    while (store.getState().nextCursor !== null) {
      await loadMore();
      if (selectionVersion !== mine || store.getState().failure !== null) return;
    }
    listed();
  };

  return {
    store,
    /** Reloads the items, e.g. when the screen is shown. */
    load,
    /** Reloads the results after an item was published or changed, also in place of a response in flight. */
    markStale: (): void => {
      const { answered, loading } = store.getState();
      if (answered !== null || loading !== 'no') void load();
    },
    search: (text: string): void => {
      selectionVersion += 1;
      store.setState({ text });
      clearTimeout(pause);
      pause = setTimeout(() => void load(), DEBOUNCE_MS);
    },
    narrow: (change: Partial<Filters>): void => {
      selectionVersion += 1;
      store.setState(({ filters }) => ({ filters: { ...filters, ...change } }));
      void load();
    },
    /** Clears search and filters; keeps the order. */
    showAll: (): void => {
      selectionVersion += 1;
      store.setState(({ filters: { sort } }) => ({ text: '', filters: { ...NO_FILTERS, sort } }));
      void load();
    },
    loadMore,

    /** Updates items with the service's current data; the next load sorts them. */
    applyItems: (known: readonly LibraryItem[]): void => {
      const byId = new Map(known.map((item) => [item.id, item]));
      store.setState(({ items }) => ({ items: items.map((item) => byId.get(item.id) ?? item) }));
    },

    /** Toggles the selection of an item. `range`: of all items since the previous one. */
    toggle: (id: ItemId, reach: 'one' | 'range'): void => {
      const { items, selected } = store.getState();
      const from = reach === 'range' ? items.findIndex((item) => item.id === anchor) : -1;
      const to = items.findIndex((item) => item.id === id);
      anchor = id;
      const between = from === -1 ? [] : items.slice(Math.min(from, to), Math.max(from, to) + 1);
      if (between.length > 0) setSelected([...selected, ...between.map((item) => item.id)]);
      else setSelected(selected.has(id) ? [...selected].filter((other) => other !== id) : [...selected, id]);
    },
    chooseAll: selectAll,
    clearSelection: (): void => setSelected([]),
    select: (ids: readonly ItemId[]): void => setSelected(ids),
    deselect: (ids: readonly ItemId[]): void =>
      setSelected([...store.getState().selected].filter((id) => !ids.includes(id))),
  };
};

export type Library = ReturnType<typeof createLibrary>;
