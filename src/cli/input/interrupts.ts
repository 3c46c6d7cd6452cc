/** Requests to end this process, Ctrl+C above all. Promise: a command may take one for a word of its own; all others stop the run. */

export interface Interrupts {
  /** Aborted when the run is to stop. */
  readonly signal: AbortSignal;
  /** Somebody asked for the end; a request that comes once more after it is the last. */
  request(): void;
  /** The next request is the command's own. Answers the undo. */
  take(listener: () => void): () => void;
}

/** The terminal and npm may both tell of one Ctrl+C. */
const ECHO_MS = 700;

/** `insist`: nobody waits any longer. */
export const createInterrupts = (now: () => number, insist: () => void): Interrupts => {
  const stop = new AbortController();
  let taker: (() => void) | null = null;
  let takenAt = Number.NEGATIVE_INFINITY;
  return {
    signal: stop.signal,
    request() {
      if (now() - takenAt < ECHO_MS) return;
      const take = taker;
      taker = null;
      if (take) {
        takenAt = now();
        take();
      } else if (stop.signal.aborted) insist();
      else stop.abort();
    },
    take(listener) {
      taker = listener;
      return () => {
        if (taker === listener) taker = null;
      };
    },
  };
};
