/** The time while something is counted before the person's eyes. */

import { useEffect, useState } from 'react';
import { useAppStores } from './use-app-stores.tsx';

/** Milliseconds since 1970-01-01 UTC, anew every `everyMs`; null: nothing is counted, and nothing is drawn anew. */
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
