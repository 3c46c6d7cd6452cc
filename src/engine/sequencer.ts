/**
 * Runs asynchronous tasks one at a time, in the order in which they were added. Has three forms: one sequence for all
 * tasks, one sequence per key, and one for encodes, which can be cancelled while they wait.
 */
import type { Result } from '../api/errors.ts';
import { orOnAbort } from '../base/common/on-abort.ts';

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

// Runs one encode at a time, because an encode uses every core.

interface EncodingTurns {
  /** Waits for its turn and runs the work. Errors: `cancelled` while it waits, and those of the work. */
  run<T>(work: () => Promise<Result<T>>, signal: AbortSignal): Promise<Result<T>>;
}

export const createEncodingTurns = (cancelled: Result<never>): EncodingTurns => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async run(work, signal) {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = before.then(() => promise);
      try {
        await orOnAbort(before, signal, () => {});
        if (signal.aborted) return cancelled;
        return await work();
      } finally {
        resolve();
      }
    },
  };
};
