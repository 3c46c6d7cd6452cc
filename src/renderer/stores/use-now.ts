/** The current time for countdowns and clocks. */

import { useEffect, useState } from 'react';
import { useAppStores } from './use-app-stores.tsx';

/** Milliseconds since 1970-01-01 UTC, updated every `everyMs`; null: no updates. */
export const useNow = (everyMs: number | null): number => {
  const { now } = useAppStores();
  const [time, setTime] = useState(now);
  useEffect(() => {
    if (everyMs === null) return;
    setTime(now());
    const timer = setInterval(() => setTime(now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, now]);
  return time;
};
