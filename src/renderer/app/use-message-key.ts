/** F6 moves focus to the newest message and back; a removed message returns focus, too. */

import { type RefObject, useEffect, useRef } from 'react';

export const useMessageKey = (corner: RefObject<HTMLElement | null>, count: number): void => {
  const before = useRef<HTMLElement | null>(null);

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || event.altKey || event.ctrlKey || event.metaKey) return;
      const { activeElement } = document;
      const container = corner.current;
      // While a dialog is open, messages cannot be reached.
      if (container?.closest('[inert]')) return;
      if (container?.contains(activeElement)) {
        event.preventDefault();
        goBack(before.current);
        return;
      }
      const button = [...(container?.querySelectorAll<HTMLElement>('[data-message]') ?? [])]
        .at(-1)
        ?.querySelector('button');
      if (!button) return;
      event.preventDefault();
      before.current = activeElement instanceof HTMLElement ? activeElement : null;
      button.focus();
    };
    // In the capture phase, before a focused component can stop the key.
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  }, [corner]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a message was removed
  useEffect(() => {
    if (before.current === null || document.activeElement !== document.body) return;
    goBack(before.current);
    before.current = null;
  }, [count]);
};

const goBack = (place: HTMLElement | null): void => {
  const there = place?.isConnected && place !== document.body ? place : document.querySelector<HTMLElement>('main');
  there?.focus();
};
