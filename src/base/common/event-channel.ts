/**
 * A typed event emitter: delivers each value to all listeners in the order in which they subscribed. Also guards against
 * listeners that throw.
 */

export interface Channel<T> {
  emit(value: T): void;
  /** Returns the unsubscribe function. */
  on(listener: (value: T) => void): () => void;
}

/** A listener whose exceptions do not reach whoever emits and the other listeners; the first one is reported. */
export const guarded = <T>(listener: (value: T) => void, report: (error: unknown) => void): ((value: T) => void) => {
  let hasFailed = false;
  return (value) => {
    try {
      listener(value);
    } catch (error) {
      if (!hasFailed) report(error);
      hasFailed = true;
    }
  };
};

export const createChannel = <T>(): Channel<T> => {
  const listeners = new Set<(value: T) => void>();
  return {
    emit(value) {
      for (const listener of [...listeners]) listener(value);
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
