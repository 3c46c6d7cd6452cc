/**
 * Recognises the second delivery of one request to end the process. The terminal and npm may both deliver one Ctrl+C,
 * so a request within 700 ms of an accepted one does not count.
 */

const ECHO_MS = 700;

/** `now`: any clock in milliseconds. Returns whether the request that has just arrived is a new one. */
export const createRepeatedInterruptFilter = (now: () => number): (() => boolean) => {
  let acceptedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const at = now();
    if (at - acceptedAt < ECHO_MS) return false;
    acceptedAt = at;
    return true;
  };
};
