/**
 * Hook that handles Escape or Enter while a component is mounted, wherever the focus is. Ignores keys that are typed
 * into a field or already handled; a focused button or link keeps Enter.
 */
import { useEffect, useRef } from 'react';
import { isTyping } from '../../keyboard/key-events.ts';

export const useWindowKey = (key: 'Escape' | 'Enter', act: () => void): void => {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== key || event.repeat || event.defaultPrevented || isTyping(event.target)) return;
      if (key === 'Enter' && event.target instanceof Element && event.target.closest('button, a') !== null) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [key]);
};
