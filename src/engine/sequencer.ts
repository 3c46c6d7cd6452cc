/** One at a time: what takes much memory, or must not overtake what was asked for before. */

export interface Sequencer {
  /** Runs `work` when all before it are over, however they ended. */
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

/** Turns for each key of its own: works of different keys do not wait for each other. */
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
