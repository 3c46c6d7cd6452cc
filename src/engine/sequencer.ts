/** Runs asynchronous work one at a time, in order: work that needs much memory or must not be reordered. */

export interface Sequencer {
  /** Runs `work` when all earlier work has ended, whatever its outcome. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

export const createSequencer = (): Sequencer => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(work) {
      const mine = last.then(work, work);
      last = mine.catch(() => {});
      return mine;
    },
  };
};

/** One sequencer per key: work of different keys runs concurrently. */
export const createSequencersOf = <Key>() => {
  const last = new Map<Key, Promise<unknown>>();
  return {
    take<T>(key: Key, work: () => Promise<T>): Promise<T> {
      const mine = (last.get(key) ?? Promise.resolve()).then(work);
      const over = mine
        .catch(() => {})
        .then(() => {
          if (last.get(key) === over) last.delete(key);
        });
      last.set(key, over);
      return mine;
    },
  };
};
