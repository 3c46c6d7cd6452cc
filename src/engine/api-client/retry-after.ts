/**
 * Parses the Retry-After header, which is a number of seconds or a date, and limits the result to a reasonable range.
 */
import { clamp } from '../../base/common/clamp.ts';

/** Maximum wait; a wrong header must not block an item for days. */
const LONGEST_MS = 5 * 60_000;
/** Minimum wait; a zero or past value must not cause a tight loop. */
const SHORTEST_MS = 1_000;

/**
 * Milliseconds to wait, or null where the header is missing or unreadable. A date is compared with the reply's own
 * `Date`, so that a wrong local clock has no effect; `now` is used where that is missing.
 */
export const retryAfterMs = (value: string | undefined, date: string | undefined, now: number): number | null => {
  const text = value?.trim();
  if (!text) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return limited(Number(text) * 1000);
  const until = Date.parse(text);
  if (Number.isNaN(until)) return null;
  const from = date === undefined ? Number.NaN : Date.parse(date);
  return limited(until - (Number.isNaN(from) ? now : from));
};

const limited = (ms: number): number => Math.round(clamp(ms, SHORTEST_MS, LONGEST_MS));
