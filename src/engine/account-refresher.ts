/**
 * Reads the accounts again every hour and after a system suspend, to learn of changed limits, plans and keys. After a
 * suspend it opens new network connections.
 */

import { wasSuspended } from './api-client/suspend-detector.ts';
import type { Engine } from './engine-interface.ts';
import type { Clock } from './ports.ts';

const INTERVAL_MS = 60 * 60_000;

export const createAccountRefresher = (engine: Engine, clock: Clock): Engine => {
  const closing = new AbortController();
  const { signal } = closing;

  const afterSleep = async () => {
    for (;;) {
      await wasSuspended(clock, signal);
      if (signal.aborted) return;
      await engine.connection.refresh({}, signal).catch(() => {});
    }
  };
  const hourly = async () => {
    for (;;) {
      await clock.sleep(INTERVAL_MS, signal);
      engine.connection.freshen();
    }
  };
  void afterSleep();
  hourly().catch(() => {});

  return {
    ...engine,
    close() {
      closing.abort();
      return engine.close();
    },
  };
};
