/** Restores scroll position and focus in the list when the user returns from an item's page. */

import { type RefObject, useEffect, useRef } from 'react';
import type { ItemId } from '../../../api/ids.ts';
import { addressOf } from '../../app/hash-route.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';

/** `placeOf`: pixels from the scroller's top to the item; null: it is not in the list, or not yet. */
export const useRestoreFocus = (
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
