/** Computes the delay before a retry, for any attempt number: exponential with jitter, at most two minutes. Pure. */

const FIRST_MS = 500;
export const LONGEST_BACKOFF_MS = 120_000;

/** `attempt` counts from 1; `random` is in [0, 1). Returns between half and all of 500 ms x 2^(attempt - 1). */
export const backoffMs = (attempt: number, random: number): number => {
  const full = Math.min(LONGEST_BACKOFF_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 30));
  return Math.round(full / 2 + (full / 2) * random);
};
