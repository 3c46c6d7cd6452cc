/**
 * Whether the list is carried past the eye. What comes into it meanwhile leaves out what nobody could press in passing, and
 * makes up for it as soon as the list rests: a line then fits into a frame.
 */

import { createContext, startTransition, useContext, useEffect, useState } from 'react';

export interface ScrollIdle {
  isMoving(): boolean;
  /** Told of each change of what is in view. A single one is a jump, to a place where the list rests. */
  moved(isScrolling: boolean): void;
  /** Calls `listener` when the list rests again; answers how to take that back. */
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

/** False from the beginning of what came while the list moved until it rests; what is whole remains so. */
export const useIsWhole = (): boolean => {
  const rest = useContext(ScrollIdleContext);
  const [isWhole, setWhole] = useState(() => !rest.isMoving());
  useEffect(() => {
    if (isWhole) return;
    const complete = (): void => startTransition(() => setWhole(true));
    // It may have come to rest between the making of this and its place in the page.
    if (!rest.isMoving()) complete();
    return rest.onRest(complete);
  }, [rest, isWhole]);
  return isWhole;
};
