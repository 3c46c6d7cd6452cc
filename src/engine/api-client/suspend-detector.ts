/** Notices that the computer slept, without any host having to tell: what was under way then is dead and does not say so. */
import type { Clock } from '../ports.ts';

const BEAT_MS = 10_000;
/** A beat that comes later than this was slept through; a busy computer alone is not that late. */
const LATE_MS = 60_000;

/**
 * Resolves after a sleep, or when the signal is aborted. Systems differ in which of the clocks stands still meanwhile, so
 * both are looked at. A wall clock that was only set looks the same and costs one repeated request.
 */
export const wasSuspended = async (clock: Clock, signal: AbortSignal): Promise<void> => {
  for (;;) {
    const [wall, steady] = [clock.now(), clock.monotonic()];
    try {
      await clock.sleep(BEAT_MS, signal);
    } catch {
      return;
    }
    if (Math.max(clock.now() - wall, clock.monotonic() - steady) - BEAT_MS > LATE_MS) return;
  }
};
