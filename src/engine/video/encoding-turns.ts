/** Runs one encode at a time, because an encode uses every core. */
import { err, failure, type Result } from '../../api/errors.ts';

export interface EncodingTurns {
  /** Waits for its turn and runs the work. Errors: CANCELLED while it waits, and those of the work. */
  run<T>(work: () => Promise<Result<T>>, signal: AbortSignal): Promise<Result<T>>;
}

export const createEncodingTurns = (): EncodingTurns => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async run(work, signal) {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = before.then(() => promise);
      try {
        const aborted = new Promise<void>((end) => signal.addEventListener('abort', () => end(), { once: true }));
        if (!signal.aborted) await Promise.race([before, aborted]);
        if (signal.aborted) return err(failure('CANCELLED', 'Preparing the video was cancelled.'));
        return await work();
      } finally {
        resolve();
      }
    },
  };
};
