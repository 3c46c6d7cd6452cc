/**
 * Tracks whether the library is scrolling. Cards of the grid that are mounted during scrolling render without actions,
 * which keeps them fast enough for an animation frame, and are completed when scrolling stops.
 */

import { createContext, startTransition, useContext, useEffect, useState } from 'react';

export interface ScrollIdle {
  isMoving(): boolean;
  /** Called on every change of the visible range. A single change is a jump, after which the list is idle. */
  moved(isScrolling: boolean): void;
  /** Calls `listener` when scrolling stops. Returns the unsubscribe function. */
  onRest(listener: () => void): () => void;
}

export const createScrollIdle = (): ScrollIdle => {
  const listeners = new Set<() => void>();
  let changes = 0;
  return {
    isMoving: () => changes > 1,
    moved: (isScrolling) => {
      changes = isScrolling ? changes + 1 : 0;
      if (changes === 0) for (const listener of listeners) listener();
    },
    onRest: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const ScrollIdleContext = createContext<ScrollIdle>(createScrollIdle());

/** False for an item mounted while scrolling, until scrolling stops; a complete item stays complete. */
export const useIsComplete = (): boolean => {
  const scrollIdle = useContext(ScrollIdleContext);
  const [isComplete, setComplete] = useState(() => !scrollIdle.isMoving());
  useEffect(() => {
    if (isComplete) return;
    const complete = (): void => startTransition(() => setComplete(true));
    // Scrolling may have stopped between render and effect.
    if (!scrollIdle.isMoving()) complete();
    return scrollIdle.onRest(complete);
  }, [scrollIdle, isComplete]);
  return isComplete;
};
