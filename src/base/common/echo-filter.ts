/**
 * Ignores the echo of a request to end: the terminal and npm may both deliver one Ctrl+C, so a request directly after
 * an accepted one is the same.
 */

const ECHO_MS = 700;

/** `now`: any clock in milliseconds. Returns whether the request that has just arrived is a new one. */
export const createEchoFilter = (now: () => number): (() => boolean) => {
  let acceptedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const at = now();
    if (at - acceptedAt < ECHO_MS) return false;
    acceptedAt = at;
    return true;
  };
};
