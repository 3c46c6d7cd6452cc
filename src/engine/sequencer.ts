/** Runs asynchronous work one at a time, in order: work that needs much memory or must not be reordered. */

export interface Sequencer {
  /** Runs `work` when all earlier work has ended, whatever its outcome. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export const createSequencer = (): Sequencer => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const current = last.then(work, work);
      last = current.catch(() => {});
      return current;
    },
  };
};

/** One sequencer per key: work of different keys runs concurrently. */
export const createSequencersOf = <Key>() => {
  const last = new Map<Key, Promise<unknown>>();
  return {
    run<T>(key: Key, work: () => Promise<T>): Promise<T> {
      const current = (last.get(key) ?? Promise.resolve()).then(work);
      const over = current
        .catch(() => {})
        .then(() => {
          if (last.get(key) === over) last.delete(key);
        });
      last.set(key, over);
      return current;
    },
  };
};
