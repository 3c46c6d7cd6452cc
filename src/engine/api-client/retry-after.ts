/** Reads how long a server asks to wait, in both forms of Retry-After, and trusts it only within reason. */

/** A server that asks for more is asked again after this long; a wrong header must not silence an item for days. */
const LONGEST_MS = 5 * 60_000;
/** One that asks for no wait at all, or for one in the past, must not be asked without end. */
const SHORTEST_MS = 1_000;

/**
 * Milliseconds to wait, or null where the header is missing or unreadable. A date is compared with the answer's own
 * `Date`, so that a wrong clock on this machine changes nothing; `now` serves where that is missing.
 */
export const retryAfterMs = (value: string | undefined, date: string | undefined, now: number): number | null => {
  const text = value?.trim();
  if (!text) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return clamp(Number(text) * 1000);
  const until = Date.parse(text);
  if (Number.isNaN(until)) return null;
  const from = date === undefined ? Number.NaN : Date.parse(date);
  return clamp(until - (Number.isNaN(from) ? now : from));
};

const clamp = (ms: number): number => Math.round(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, ms)));
