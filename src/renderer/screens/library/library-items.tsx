/**
 * Virtualized list or grid of library items, which loads further pages while scrolling and returns to the item that was
 * opened last.
 */

import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  memo,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { ItemId } from '../../../api/ids.ts';
import type { LibraryItem } from '../../../ipc/protocol/library-item.ts';
import type { Settings } from '../../../ipc/protocol/settings.ts';
import { cx } from '../../design/class-names.ts';
import { useLocale } from '../../locales/locale.tsx';
import { addressOf } from '../../stores/router-store.ts';
import { useAppStores, useLibrary } from '../../stores/use-app-stores.tsx';
import { LibraryCard, LibraryRow } from './library-entry.tsx';
import styles from './library-items.module.css';
import { createScrollIdle, ScrollIdleContext } from './scroll-idle.ts';
import { indexOfItem, useArrowKeys } from './use-arrow-keys.ts';

// Restores scroll position and focus in the list when the user returns from an item's page.

/** `offsetOf`: pixels from the scroller's top to the item; null: it is not in the list, or not yet. */
const useRestoreFocus = (
  list: RefObject<HTMLElement | null>,
  scroller: () => Element | null,
  offsetOf: (id: ItemId) => number | null,
): void => {
  const { itemDetails } = useAppStores();
  const returning = useRef<{ readonly id: ItemId; isScrolled: boolean } | null>(null);

  useEffect(() => {
    const id = itemDetails.takeLast();
    if (id !== null) returning.current = { id, isScrolled: false };
    // Any action of the user cancels it.
    const forget = (): void => {
      returning.current = null;
    };
    window.addEventListener('wheel', forget, { passive: true });
    window.addEventListener('pointerdown', forget);
    window.addEventListener('keydown', forget);
    return () => {
      window.removeEventListener('wheel', forget);
      window.removeEventListener('pointerdown', forget);
      window.removeEventListener('keydown', forget);
    };
  }, [itemDetails]);

  // Rows render in chunks: checks each time whether the item's row is mounted.
  useEffect(() => {
    const { current } = returning;
    const around = scroller();
    const top = current && offsetOf(current.id);
    if (current === null || top === null || around === null) return;
    if (!current.isScrolled) around.scrollTo(0, top - around.clientHeight / 2);
    current.isScrolled = true;
    const link = list.current?.querySelector<HTMLElement>(`a[href="${addressOf({ screen: 'item', id: current.id })}"]`);
    if (!link) return;
    returning.current = null;
    link.focus({ preventScroll: true });
  });
};

type Layout = Settings['libraryLook'];

/**
 * In pixels: row height including the gap, and minimum width of an item. Rows mount and unmount in blocks, so that most
 * frames change nothing.
 */
const LINE: Record<Layout, { readonly height: number; readonly width: number; readonly block: number }> = {
  list: { height: 60, width: Number.POSITIVE_INFINITY, block: 4 },
  grid: { height: 228, width: 208, block: 1 },
};
/** Number of blocks rendered beyond the view. */
const OVERSCAN = 3;
/** Number of rows before the end at which the next page loads. */
const AHEAD = 20;

/** The nearest scrolling ancestor. */
const scrollerOf = (element: Element | null): Element | null => {
  for (let at = element?.parentElement ?? null; at; at = at.parentElement)
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return null;
};

interface LibraryItemsProps {
  readonly look: Layout;
  readonly items: readonly LibraryItem[];
}

export const LibraryItems = ({ look, items }: LibraryItemsProps) => {
  const { library } = useAppStores();
  const { t } = useLocale();
  const { nextCursor } = useLibrary();
  const list = useRef<HTMLUListElement>(null);
  // Cached, because it is read in every frame and the lookup forces a layout.
  const found = useRef<Element>(null);
  const scroller = useCallback((): Element | null => {
    found.current ??= scrollerOf(list.current);
    return found.current;
  }, []);
  const [scrollIdle] = useState(createScrollIdle);
  const [place, setPlace] = useState({ columns: 1, top: 0 });
  const { height, width, block } = LINE[look];

  // Measures the number of columns and the offset of the list within the scroller.
  const measure = useCallback(() => {
    const around = scroller();
    if (!list.current || !around) return;
    const top = list.current.getBoundingClientRect().top - around.getBoundingClientRect().top + around.scrollTop;
    const columns = Math.max(1, Math.floor(list.current.clientWidth / width));
    setPlace((before) => (before.columns === columns && before.top === top ? before : { columns, top }));
  }, [width, scroller]);
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (list.current) observer.observe(list.current);
    if (list.current?.parentElement) observer.observe(list.current.parentElement);
    return () => observer.disconnect();
  }, [measure]);

  const lines = Math.ceil(items.length / place.columns);
  const virtualizer = useVirtualizer({
    count: Math.ceil(lines / block),
    getScrollElement: scroller,
    estimateSize: () => height * block,
    overscan: OVERSCAN,
    scrollMargin: place.top,
    onChange: ({ isScrolling }) => scrollIdle.moved(isScrolling),
  });
  const blocks = virtualizer.getVirtualItems();
  const from = (blocks[0]?.index ?? 0) * block;
  const to = Math.min(lines, ((blocks.at(-1)?.index ?? -1) + 1) * block);
  // Rendered in chunks between frames, ahead of the view; the initial rows render synchronously.
  const [shownFrom, shownTo] = [useDeferredValue(from), useDeferredValue(to)];

  useEffect(() => {
    if (nextCursor !== null && to > lines - AHEAD) void library.loadMore();
  }, [library, nextCursor, to, lines]);

  useArrowKeys({ list, scroller, items, columns: place.columns, line: height, top: place.top });
  // The focused item stays mounted however far the list is scrolled.
  const [focusedId, setFocusedId] = useState<ItemId | null>(null);
  const trackFocus = ({ target }: FocusEvent): void => {
    setFocusedId(items[indexOfItem(target)]?.id ?? null);
    scrollIdle.moved(false);
  };
  const focusedAt = focusedId === null ? -1 : items.findIndex(({ id }) => id === focusedId);

  useRestoreFocus(list, scroller, (last) => {
    const at = items.findIndex(({ id }) => id === last);
    return at === -1 || place.top === 0 ? null : place.top + Math.floor(at / place.columns) * height;
  });

  return (
    <ul
      ref={list}
      className={cx(styles.items, styles[look])}
      aria-label={t.library.list}
      onFocus={trackFocus}
      onBlur={() => setFocusedId(null)}
      style={{ height: lines * height }}
    >
      <ScrollIdleContext value={scrollIdle}>
        <Lines
          {...{ look, items, columns: place.columns }}
          from={shownTo === 0 ? from : shownFrom}
          to={shownTo === 0 ? to : shownTo}
          focused={focusedAt}
        />
      </ScrollIdleContext>
    </ul>
  );
};

interface LinesProps extends LibraryItemsProps {
  readonly columns: number;
  /** First row, and the row after the last. */
  readonly from: number;
  readonly to: number;
  /** Index of the focused item; -1: none. */
  readonly focused: number;
}

const Lines = memo(({ look, items, columns, from, to, focused }: LinesProps) => {
  const { total } = useLibrary();
  const { height } = LINE[look];
  const Item = look === 'list' ? LibraryRow : LibraryCard;
  const [first, end] = [from * columns, Math.min(items.length, to * columns)];
  const places = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  if (focused !== -1 && focused < first) places.unshift(focused);
  else if (focused >= end) places.push(focused);
  return places.map((place) => {
    const item = items[place];
    if (!item) return null;
    const [line, column] = [Math.floor(place / columns), place % columns];
    return (
      <li
        key={item.id}
        className={styles.place}
        aria-setsize={total}
        aria-posinset={place + 1}
        style={{
          height,
          width: `${100 / columns}%`,
          left: `${(100 * column) / columns}%`,
          top: line * height,
        }}
      >
        <Item item={item} />
      </li>
    );
  });
});
