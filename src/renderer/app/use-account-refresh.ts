/** A window that comes to the front asks for limits, plan and storage again where they are some minutes old. */

import { useEffect } from 'react';
import { useAppStores } from '../stores/use-app-stores.tsx';

export const useAccountRefresh = (): void => {
  const { engine } = useAppStores();
  useEffect(() => {
    // A failure is no news: how the connection stands is in the state.
    const freshen = (): void => void engine.ask('connection.freshen', {});
    window.addEventListener('focus', freshen);
    return () => window.removeEventListener('focus', freshen);
  }, [engine]);
};
