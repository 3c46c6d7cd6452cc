/** Limits computed delays to what timers accept. */

/** A longer delay would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The delay for a timer until `ms` have passed: never negative, and at most 24 days. */
export const timerDelay = (ms: number): number => Math.min(LONGEST_MS, Math.max(0, ms));
