/**
 * Compares stored instants with a wall clock that may have been set back since they were stored, so that a jump of the
 * clock delays nothing for longer than its own wait. Instants and lengths in milliseconds. Pure.
 */

/** Whether `at`, which was at most `mostMs` ahead of the clock when it was stored, is farther ahead: the clock was set back. */
export const isBeyond = (at: number, now: number, mostMs: number): boolean => at - now > mostMs;

/** Whether `at`, which was at most `mostMs` ahead when it was stored, has come, or cannot be waited for any more. */
export const isDue = (at: number, now: number, mostMs: number): boolean => at <= now || isBeyond(at, now, mostMs);

/** Time between `since` and now; of an instant that is ahead of a clock that was set back, how far it is ahead. */
export const ageMs = (since: number, now: number): number => Math.abs(now - since);
