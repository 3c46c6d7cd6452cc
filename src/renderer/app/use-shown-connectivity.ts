/**
 * Hook that returns the connection state that the window shows. An outage is reported only after a few seconds; during
 * a retry it stays reported until one of the waiting queue items progresses.
 */

import { useEffect, useState } from 'react';
import type { AppState } from '../../ipc/protocol/app-state.ts';
import { type Away, type Connectivity, isAway, progressOf } from '../stores/queue/connectivity.ts';
import { useConnectivity } from '../stores/queue/use-connectivity.ts';
import { useApp, useAppStores } from '../stores/use-app-stores.tsx';

/** Most network gaps are over by then. */
const PATIENCE_MS = 4_000;

export const useShownConnectivity = (): Connectivity => {
  const { now } = useAppStores();
  const queue = useApp((app) => app.queue);
  const reach = useConnectivity();
  const away = isAway(reach);
  const since = away ? reach.since : null;
  const [isOld, setOld] = useState(false);
  /**
   * The outage shown last and the progress of its items at that time. A retry counts as success only once one of them
   * progresses.
   */
  const [lastOutage, setLastOutage] = useState<{ readonly away: Away; readonly progress: string } | null>(null);

  useEffect(() => {
    if (!away) return setOld(false);
    const left = since === null ? PATIENCE_MS : Math.max(0, since + PATIENCE_MS - now());
    const timer = setTimeout(() => setOld(true), left);
    return () => clearTimeout(timer);
  }, [away, since, now]);

  useEffect(() => {
    if (isAway(reach)) {
      if (isOld) setLastOutage({ away: reach, progress: progressOf(queue, reach.ids) });
    } else setLastOutage((before) => (before && isTrying(before, reach, queue) ? before : null));
  }, [reach, isOld, queue]);

  if (away) return isOld || lastOutage ? reach : { kind: 'up' };
  return lastOutage && isTrying(lastOutage, reach, queue) ? { ...lastOutage.away, nextAt: 0 } : reach;
};

/** Whether a retry is running and none of the waiting items has progressed yet, nor met another error. */
const isTrying = (
  { away, progress }: { readonly away: Away; readonly progress: string },
  reach: Connectivity,
  queue: AppState['queue'],
): boolean =>
  reach.kind === 'up' &&
  away.ids.length > 0 &&
  progressOf(queue, away.ids) === progress &&
  !queue.items.some(({ id, error }) => error !== null && away.ids.includes(id));
