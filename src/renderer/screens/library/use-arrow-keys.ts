/**
 * Hook for keyboard navigation between items with arrows, Home, End and page keys. Items not mounted yet are scrolled
 * to and focused once mounted. Space selects an item; Delete deletes it while none is selected.
 */

import { type RefObject, useEffect, useRef } from 'react';
import type { ItemId } from '../../../api/ids.ts';
import type { LibraryItem } from '../../../ipc/protocol/library-item.ts';
import { isPlainKey } from '../../keyboard/key-events.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';

interface Arrows {
  readonly list: RefObject<HTMLElement | null>;
  readonly scroller: () => Element | null;
  readonly items: readonly LibraryItem[];
  readonly columns: number;
  /** Pixels: row height, and offset of the list within the scroller. */
  readonly line: number;
  readonly top: number;
}

/** The focused part of an item: its checkbox, or its title. */
const PARTS = { box: 'input[type="checkbox"]', title: 'a[title]' } as const;

/** Pixels that a floating bar may cover at the lower end of the view. */
const FLOATING = 96;

/** Index from 0; -1: the element is in no item. */
export const indexOfItem = (element: Element): number =>
  Number(element.closest('[aria-posinset]')?.getAttribute('aria-posinset') ?? 0) - 1;

/** Target index of a key; null: not a navigation key. */
const indexAfter = (key: string, from: number, count: number, columns: number, page: number): number | null => {
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return from + columns > last ? from : from + columns;
    case 'ArrowUp':
      return from - columns < 0 ? from : from - columns;
    case 'ArrowRight':
      return columns === 1 ? null : Math.min(last, from + 1);
    case 'ArrowLeft':
      return columns === 1 ? null : Math.max(0, from - 1);
    case 'PageDown':
      return Math.min(last, from + page * columns);
    case 'PageUp':
      return Math.max(0, from - page * columns);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
};

export const useArrowKeys = ({ list, scroller, items, columns, line, top }: Arrows): void => {
  const { library, removal } = useAppStores();
  /** The item to focus once it is mounted. */
  const wanted = useRef<{ readonly id: ItemId; readonly part: keyof typeof PARTS } | null>(null);

  /** The item focused last. */
  const last = useRef<{ readonly id: ItemId; readonly at: number } | null>(null);

  // When the focused item is deleted, the item that takes its index gets the focus.
  useEffect(() => {
    const { current } = last;
    const isLost = current !== null && items.every(({ id }) => id !== current.id);
    if (!isLost || document.activeElement !== document.body) return;
    const next = items[Math.min(current.at, items.length - 1)];
    last.current = null;
    wanted.current = next ? { id: next.id, part: 'title' } : null;
  }, [items]);

  // Rows render in chunks: checks each time whether the item's row is mounted.
  useEffect(() => {
    const { current } = wanted;
    if (current === null) return;
    const at = items.findIndex(({ id }) => id === current.id);
    const place = list.current?.querySelector(`[aria-posinset="${at + 1}"]`);
    const element = place?.querySelector<HTMLElement>(PARTS[current.part]);
    if (at !== -1 && !element) return;
    wanted.current = null;
    element?.focus({ preventScroll: true });
  });

  useEffect(() => {
    const element = list.current;
    if (element === null) return;

    /** Scrolls just far enough to show the whole row; at the first row also what is above the list. */
    const reveal = (at: number): void => {
      const around = scroller();
      if (around === null) return;
      const [from, to] = [top + Math.floor(at / columns) * line, top + (Math.floor(at / columns) + 1) * line];
      const { scrollTop, clientHeight } = around;
      if (at < columns) around.scrollTo(0, 0);
      else if (from < scrollTop) around.scrollTo(0, from);
      else if (to + FLOATING > scrollTop + clientHeight) around.scrollTo(0, to + FLOATING - clientHeight);
    };

    const press = (event: KeyboardEvent): void => {
      const { target, key, shiftKey, repeat } = event;
      if (event.defaultPrevented || !isPlainKey(event) || !(target instanceof Element)) return;
      const from = wanted.current ? items.findIndex(({ id }) => id === wanted.current?.id) : indexOfItem(target);
      const item = items[from];
      if (!item) return;
      const page = Math.max(1, Math.floor(((scroller()?.clientHeight ?? 0) - FLOATING) / line));
      const to = shiftKey ? null : indexAfter(key, from, items.length, columns, page);
      const next = to === null ? undefined : items[to];
      if (to !== null && next) {
        wanted.current = { id: next.id, part: target.matches(PARTS.box) ? 'box' : 'title' };
        reveal(to);
        const known = element.querySelector<HTMLElement>(`[aria-posinset="${to + 1}"] ${PARTS[wanted.current.part]}`);
        known?.focus({ preventScroll: true });
        if (known) wanted.current = null;
      } else if (key === ' ' && target.matches(PARTS.title)) {
        library.toggle(item.id, shiftKey ? 'range' : 'one');
      } else if (key === 'Delete' && library.store.getState().selected.size === 0 && item.goneAt === null) {
        // The focus moves on to the next item, which a key that is held must not delete.
        if (!repeat) void removal.remove([item.id]);
      } else {
        return;
      }
      event.preventDefault();
    };
    const enter = ({ target }: FocusEvent): void => {
      const at = target instanceof Element ? indexOfItem(target) : -1;
      const item = items[at];
      if (item) last.current = { id: item.id, at };
    };
    const leave = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget instanceof Element && !element.contains(relatedTarget)) last.current = null;
    };
    element.addEventListener('keydown', press);
    element.addEventListener('focusin', enter);
    element.addEventListener('focusout', leave);
    return () => {
      element.removeEventListener('keydown', press);
      element.removeEventListener('focusin', enter);
      element.removeEventListener('focusout', leave);
    };
  }, [list, scroller, items, columns, line, top, library, removal]);
};
