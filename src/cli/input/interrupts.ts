/**
 * Handles requests to end a command, mainly Ctrl+C. A request goes to the command if it listens for one, otherwise it
 * stops the run; the next request after that forces the end. A second delivery of the same Ctrl+C is ignored.
 */
import { createRepeatedInterruptFilter } from '../../base/common/repeated-interrupt-filter.ts';

export interface Interrupts {
  /** Aborted when the run must stop. */
  readonly signal: AbortSignal;
  /** Reports a request to end; one after the run was stopped forces the end. */
  request(): void;
  /** The command handles the next request. Returns the undo. */
  take(listener: () => void): () => void;
}

/** `insist`: called when the user forces the end. */
export const createInterrupts = (now: () => number, insist: () => void): Interrupts => {
  const stop = new AbortController();
  let handler: (() => void) | null = null;
  const isNew = createRepeatedInterruptFilter(now);
  return {
    signal: stop.signal,
    request() {
      if (!isNew()) return;
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
