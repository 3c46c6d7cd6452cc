/** A typed event emitter: delivers each value to all listeners in the order in which they subscribed. */

export interface Channel<T> {
  emit(value: T): void;
  /** Returns the unsubscribe function. */
  on(listener: (value: T) => void): () => void;
}

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
