/**
 * Reacts to the abort of a signal, also to one that came earlier: an aborted signal sends no event, so a listener that
 * is added after a wait would never be called. Nothing else in `src` listens for `abort`.
 */

/** Calls `act` once, and never before this has returned. Returns its undo. */
export const onAbort = (signal: AbortSignal, act: () => void): (() => void) => {
  if (!signal.aborted) {
    signal.addEventListener('abort', act, { once: true });
    return () => signal.removeEventListener('abort', act);
  }
  let isUndone = false;
  queueMicrotask(() => {
    if (!isUndone) act();
  });
  return () => {
    isUndone = true;
  };
};

/** Settles as `promise` does, or resolves with what `instead` returns once the signal is aborted. */
export const orOnAbort = <T, Instead>(
  promise: Promise<T>,
  signal: AbortSignal,
  instead: () => Instead,
): Promise<T | Instead> => {
  const { promise: aborted, resolve } = Promise.withResolvers<Instead>();
  const unfollow = onAbort(signal, () => resolve(instead()));
  return Promise.race([promise, aborted]).finally(unfollow);
};
