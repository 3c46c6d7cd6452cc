/** Window shortcuts. Keys typed into a field are never intercepted. */

import { useEffect } from 'react';
import { useFileInput } from '../file-input/file-input.tsx';
import { isLetter } from '../file-input/is-key.ts';
import { isTyping } from '../file-input/is-typing.ts';
import { useAppStores } from '../stores/use-app-stores.tsx';

export const useShortcuts = (): void => {
  const { view } = useAppStores();
  const { choose } = useFileInput();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const command = event.ctrlKey || event.metaKey;
      if (command && !event.shiftKey && !event.altKey && isLetter(event, 'o')) {
        event.preventDefault();
        choose();
      } else if (command !== event.altKey && !event.shiftKey && isLetter(event, 'n')) {
        event.preventDefault();
        view.open({ screen: 'note', id: null });
      } else if (!command && !event.altKey && event.key === '/' && !isTyping(event.target)) {
        event.preventDefault();
        view.search();
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [choose, view]);
};
