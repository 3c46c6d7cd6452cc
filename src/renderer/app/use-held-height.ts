/** Hook that keeps an element's height while a pointer is pressed, so that what is below it does not move. */

import { type RefObject, useEffect, useRef } from 'react';

/** The click follows the release of the pointer; that of a finger does so in a task of its own. */
const CLICK_MS = 100;

/**
 * A browser makes a click of a press only if the same element is pressed and released. What appears or goes above that
 * element meanwhile would move it away from the pointer, and the press would be lost.
 */
export const useHeldHeight = <E extends HTMLElement>(): RefObject<E | null> => {
  const element = useRef<E>(null);
  useEffect(() => {
    let release: ReturnType<typeof setTimeout> | undefined;
    const setHeight = (height: string): void => {
      if (element.current === null) return;
      element.current.style.height = height;
      element.current.style.overflow = height && 'clip';
    };
    const hold = (): void => {
      clearTimeout(release);
      setHeight(`${element.current?.getBoundingClientRect().height ?? 0}px`);
    };
    const releaseSoon = (): void => {
      clearTimeout(release);
      release = setTimeout(setHeight, CLICK_MS, '');
    };
    const ends = ['pointerup', 'pointercancel', 'dragend'] as const;
    window.addEventListener('pointerdown', hold, true);
    for (const end of ends) window.addEventListener(end, releaseSoon, true);
    return () => {
      clearTimeout(release);
      window.removeEventListener('pointerdown', hold, true);
      for (const end of ends) window.removeEventListener(end, releaseSoon, true);
    };
  }, []);
  return element;
};
