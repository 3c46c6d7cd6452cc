/** Hooks that close a capture toast after a while, and that detect the interaction which keeps it open. */
import { useEffect, useState } from 'react';
import type { ItemId } from '../../../api/ids.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';

/** Time on screen once the link is ready and the user is not interacting. */
const SHOWN_MS = 5_000;

/** Closes the toast after a while, unless it stays. */
export const useLeaving = (id: ItemId, mode: 'stays' | 'leaves'): void => {
  const { captureToasts } = useAppStores();
  useEffect(() => {
    if (mode === 'stays') return;
    const timer = setTimeout(() => captureToasts.close(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [mode, captureToasts, id]);
};

/** Whether the user interacts with the toast by mouse or keyboard. A click alone does not count. */
export const useInteraction = () => {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  return {
    isActive: hovered || focused,
    handlers: {
      onMouseEnter: () => setHovered(true),
      onMouseLeave: () => setHovered(false),
      onFocus: ({ target }: { readonly target: Element }) => setFocused(target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
    },
  };
};
