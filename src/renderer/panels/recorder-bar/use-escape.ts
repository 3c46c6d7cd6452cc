/** Handles Escape while a component is mounted, wherever the focus is; fields and dialogs keep their own Escape. */

import { useEffect, useRef } from 'react';
import { isTyping } from '../../file-input/is-typing.ts';

export const useEscape = (act: () => void): void => {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || isTyping(event.target)) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
};
