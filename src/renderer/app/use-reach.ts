/** How far the window can reach, without flicker: a short gap in the network is nobody's news. */

import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type Away, type Reach, reachOf } from '../stores/reach.ts';
import { useApp, usePage } from '../stores/use-page.tsx';

/** Most breaks are over by then. */
const PATIENCE_MS = 4_000;

const follow = (listener: () => void): (() => void) => {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
};

export const isAway = (reach: Reach): reach is Away => reach.kind === 'network' || reach.kind === 'service';

export const useReach = (): Reach => {
  const { now } = usePage();
  const isOnline = useSyncExternalStore(follow, () => navigator.onLine);
  const connection = useApp((app) => app.connection);
  const queue = useApp((app) => app.queue);
  const reach = useMemo(
    () => reachOf({ connection, queue }, isOnline ? 'there' : 'none'),
    [connection, queue, isOnline],
  );
  const away = isAway(reach);
  const since = away ? reach.since : null;
  const [isOld, setOld] = useState(false);

  useEffect(() => {
    if (!away) return setOld(false);
    const left = since === null ? PATIENCE_MS : Math.max(0, since + PATIENCE_MS - now());
    const timer = setTimeout(() => setOld(true), left);
    return () => clearTimeout(timer);
  }, [away, since, now]);

  return away && !isOld ? { kind: 'up' } : reach;
};
