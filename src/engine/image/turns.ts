/** One at a time: pixels take much memory, so images are worked on one after the other. */

export interface Turns {
  /** Runs `work` when all before it are over, however they ended. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

export const createTurns = (): Turns => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(work) {
      const mine = last.then(work, work);
      last = mine.catch(() => {});
      return mine;
    },
  };
};
