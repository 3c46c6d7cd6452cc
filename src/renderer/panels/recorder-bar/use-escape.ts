/** What Escape does while a part is shown, wherever the focus is; a field and whatever lies above keep their own Escape. */

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
