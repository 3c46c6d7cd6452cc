/**
 * Handles requests to end a command, mainly Ctrl+C. A request goes to the command if it listens for one, otherwise it
 * stops the run; the next request after that forces the end. The terminal and npm may deliver one Ctrl+C twice, so a
 * request just after another one is ignored.
 */

export interface Interrupts {
  /** Aborted when the run must stop. */
  readonly signal: AbortSignal;
  /** Reports a request to end; one after the run was stopped forces the end. */
  request(): void;
  /** The command handles the next request. Returns the undo. */
  take(listener: () => void): () => void;
}

/** The terminal and npm may both deliver one Ctrl+C. */
const ECHO_MS = 700;

/** `insist`: called when the user forces the end. */
export const createInterrupts = (now: () => number, insist: () => void): Interrupts => {
  const stop = new AbortController();
  let handler: (() => void) | null = null;
  let acceptedAt = Number.NEGATIVE_INFINITY;
  return {
    signal: stop.signal,
    request() {
      if (now() - acceptedAt < ECHO_MS) return;
      acceptedAt = now();
      const take = handler;
      handler = null;
      if (take) take();
      else if (stop.signal.aborted) insist();
      else stop.abort();
    },
    take(listener) {
      handler = listener;
      return () => {
        if (handler === listener) handler = null;
      };
    },
  };
};
