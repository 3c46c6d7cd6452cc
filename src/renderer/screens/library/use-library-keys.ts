/**
 * Shortcuts of the library: Ctrl+A selects all, Delete deletes the selection, Escape clears it. Not inside fields or
 * menus.
 */

import { useEffect } from 'react';
import { isLetter } from '../../file-input/is-key.ts';
import { isTyping } from '../../file-input/is-typing.ts';
import { useAppStores } from '../../stores/use-app-stores.tsx';

export const useLibraryKeys = (): void => {
  const { library, removal } = useAppStores();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isElsewhere = event.target instanceof Element && event.target.closest('[role="dialog"], [role="menu"]');
      if (event.defaultPrevented || isTyping(event.target) || isElsewhere) return;
      const { selected } = library.store.getState();
      if ((event.ctrlKey || event.metaKey) && isLetter(event, 'a')) void library.chooseAll();
      else if (event.key === 'Delete' && selected.size > 0) void removal.remove([...selected]);
      else if (event.key === 'Escape' && selected.size > 0) library.clearSelection();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [library, removal]);
};
