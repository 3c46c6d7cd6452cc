/**
 * Detects a system suspend of more than a minute by comparing clocks. Requests that were in flight may neither complete
 * nor fail by themselves.
 */
import type { Clock } from '../ports.ts';

const BEAT_MS = 10_000;
/** A beat later than this means a suspend; a busy computer alone is not that late. */
const LATE_MS = 60_000;

/**
 * Resolves after a suspend, or when the signal is aborted. Operating systems differ in which clock stops meanwhile, so
 * both are compared. Setting the wall clock looks the same and costs one repeated request.
 */
export const wasSuspended = async (clock: Clock, signal: AbortSignal): Promise<void> => {
  for (;;) {
    const [wall, monotonic] = [clock.now(), clock.monotonic()];
    try {
      await clock.sleep(BEAT_MS, signal);
    } catch {
      return;
    }
    if (Math.max(clock.now() - wall, clock.monotonic() - monotonic) - BEAT_MS > LATE_MS) return;
  }
};
