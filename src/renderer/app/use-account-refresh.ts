/** Refreshes limits, plan and storage when a window gets focus and the values are some minutes old. */

import { useEffect } from 'react';
import { useAppStores } from '../stores/use-app-stores.tsx';

export const useAccountRefresh = (): void => {
  const { engine } = useAppStores();
  useEffect(() => {
    // Failures are ignored: the connection's state shows them.
    const freshen = (): void => void engine.ask('connection.freshen', {});
    window.addEventListener('focus', freshen);
    return () => window.removeEventListener('focus', freshen);
  }, [engine]);
};
