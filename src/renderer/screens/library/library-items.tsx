/** The found items as rows or as cards. Only those near the view exist in the page, so ten thousand scroll like ten. */

import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Settings } from '../../../contract/settings.ts';
import type { LibraryItem } from '../../../contract/state.ts';
import { cx } from '../../design/cx.ts';
import { useLocale } from '../../locales/locale.tsx';
import { useLibrary, usePage } from '../../stores/use-page.tsx';
import { LibraryCard } from './library-card.tsx';
import styles from './library-items.module.css';
import { LibraryRow } from './library-row.tsx';

type Look = Settings['libraryLook'];

/** Pixels: what one line takes with the gap below it, and the least width of what stands in it. */
const LINE: Record<Look, { readonly height: number; readonly width: number }> = {
  list: { height: 60, width: Number.POSITIVE_INFINITY },
  grid: { height: 228, width: 208 },
};
/** Lines beyond the view that exist all the same. */
const OVERSCAN = 6;
/** Lines before the end at which more are fetched. */
const AHEAD = 20;

/** The nearest ancestor that scrolls. */
const scrollerOf = (element: Element | null): Element | null => {
  for (let at = element?.parentElement ?? null; at; at = at.parentElement)
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return null;
};

interface LibraryItemsProps {
  readonly look: Look;
  readonly items: readonly LibraryItem[];
}

export const LibraryItems = ({ look, items }: LibraryItemsProps) => {
  const { library } = usePage();
  const { t } = useLocale();
  const { total, nextCursor } = useLibrary();
  const list = useRef<HTMLUListElement>(null);
  const [place, setPlace] = useState({ columns: 1, top: 0 });
  const { height, width } = LINE[look];

  // How many stand side by side, and how far below the scroller's top the list begins.
  const measure = useCallback(() => {
    const scroller = scrollerOf(list.current);
    if (!list.current || !scroller) return;
    const top = list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
    const columns = Math.max(1, Math.floor(list.current.clientWidth / width));
    setPlace((before) => (before.columns === columns && before.top === top ? before : { columns, top }));
  }, [width]);
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (list.current) observer.observe(list.current);
    if (list.current?.parentElement) observer.observe(list.current.parentElement);
    return () => observer.disconnect();
  }, [measure]);

  const lines = Math.ceil(items.length / place.columns);
  const virtualizer = useVirtualizer({
    count: lines,
    getScrollElement: () => scrollerOf(list.current),
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin: place.top,
  });
  const shown = virtualizer.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;

  useEffect(() => {
    if (nextCursor !== null && last >= lines - AHEAD) void library.loadMore();
  }, [library, nextCursor, last, lines]);

  const Item = look === 'list' ? LibraryRow : LibraryCard;
  return (
    <ul
      ref={list}
      className={cx(styles.items, styles[look])}
      aria-label={t.library.list}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {shown.flatMap(({ index, start }) =>
        items.slice(index * place.columns, (index + 1) * place.columns).map((item, column) => (
          <li
            key={item.id}
            className={styles.place}
            aria-setsize={total}
            aria-posinset={index * place.columns + column + 1}
            style={{
              height,
              width: `${100 / place.columns}%`,
              transform: `translate(${column * 100}%, ${start - place.top}px)`,
            }}
          >
            <Item item={item} />
          </li>
        )),
      )}
    </ul>
  );
};
