/**
 * Makes folders in a thread of its own, one after the other, so that the server keeps answering and one archive's
 * memory is gone before the next one's is taken.
 */
import { Worker } from 'node:worker_threads';
import { err, failure, type Result } from '../../contract/errors.ts';
import type { MadeFolder } from './folder.ts';

export interface FolderMaker {
  /** Reads, filters and packs the archive at `path`. UPLOAD_SERVER_BUSY when too many are waiting. */
  readonly make: (path: string, signal: AbortSignal) => Promise<Result<MadeFolder>>;
}

/** Folders that may wait; at most a second each. */
const WAITING_MAX = 16;
const RETRY_AFTER_MS = 5_000;

/** MiB of the thread's heap: room for 50,000 entries, and early collection of what they leave behind. */
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 192 };

const runThread = (path: string, signal: AbortSignal): Promise<Result<MadeFolder>> =>
  new Promise((resolve, reject) => {
    const options = { workerData: path, resourceLimits: HEAP, execArgv: [] };
    const worker = new Worker(new URL('./thread.ts', import.meta.url), options);
    const stop = () => {
      void worker.terminate();
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      reject(new Error(`The thread that makes folders ended with ${code}`));
    });
  });

export const createFolderMaker = (): FolderMaker => {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    make: async (path, signal) => {
      if (waiting >= WAITING_MAX) {
        return err(
          failure('UPLOAD_SERVER_BUSY', 'Many folders are being read at the moment.', { afterMs: RETRY_AFTER_MS }),
        );
      }
      waiting += 1;
      const turn = last.then(() => {
        signal.throwIfAborted();
        return runThread(path, signal);
      });
      last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        waiting -= 1;
      }
    },
  };
};
