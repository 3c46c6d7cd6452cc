/** Hook for the present connection state, which the window shows with a delay. */
import { useMemo, useSyncExternalStore } from 'react';
import { useApp } from '../use-app-stores.tsx';
import { type Connectivity, connectivityOf } from './connectivity.ts';

const follow = (listener: () => void): (() => void) => {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
};

export const useConnectivity = (): Connectivity => {
  const isOnline = useSyncExternalStore(follow, () => navigator.onLine);
  const connection = useApp((app) => app.connection);
  const accounts = useApp((app) => app.accounts);
  const queue = useApp((app) => app.queue);
  return useMemo(
    () => connectivityOf({ connection, accounts, queue }, isOnline ? 'there' : 'none'),
    [connection, accounts, queue, isOnline],
  );
};
