/**
 * Keeps what is known of the accounts true while the app runs: after the computer slept the old connections are dead and
 * the accounts are read anew, and once an hour limits, plan and key are looked at. So no host has to tell.
 */
import type { Engine } from './api.ts';
import { wasSuspended } from './api-client/suspend-detector.ts';
import type { Clock } from './ports.ts';

const LOOK_MS = 60 * 60_000;

export const createAccountRefresher = (engine: Engine, clock: Clock): Engine => {
  const closing = new AbortController();
  const { signal } = closing;

  const afterSleep = async () => {
    for (;;) {
      await wasSuspended(clock, signal);
      if (signal.aborted) return;
      await engine.refresh(signal).catch(() => {});
    }
  };
  const hourly = async () => {
    for (;;) {
      await clock.sleep(LOOK_MS, signal);
      engine.freshenAccounts();
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
