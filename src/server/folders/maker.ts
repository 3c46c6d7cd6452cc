/**
 * Makes folders in threads of their own, one after the other, so that the server keeps answering and one archive's
 * memory is gone before the next one's is taken. A thread starts while the archive is still on its way.
 */
import { Worker } from 'node:worker_threads';
import { err, failure, type Result } from '../../contract/errors.ts';
import type { SealedFile } from '../storage/sealed-file.ts';
import type { MadeFolder } from './folder.ts';

export interface FolderMaker {
  /** An archive is about to come: starts a thread ahead, which takes longer than reading most archives. */
  readonly expect: () => void;
  /**
   * Reads, filters and packs an archive. UPLOAD_SERVER_BUSY when too many are waiting; rejects with the
   * signal's reason when it aborts, and when the archive cannot be read from the disk.
   */
  readonly make: (archive: SealedFile, signal: AbortSignal) => Promise<Result<MadeFolder>>;
  readonly close: () => Promise<void>;
}

/** Folders that may wait; at most a second each. */
const WAITING_MAX = 16;
const RETRY_AFTER_MS = 5_000;
/** A thread that nobody needs ends after this time. */
const IDLE_MS = 20_000;

/** MiB of a thread's heap: room for 50,000 entries, and early collection of what they leave behind. */
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 192 };

const startThread = (): Worker => {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), { resourceLimits: HEAP, execArgv: [] });
  // A thread that fails before it is used is replaced; one that fails in use is heard by its user.
  thread.on('error', () => {});
  thread.unref();
  return thread;
};

const runIn = (thread: Worker, archive: SealedFile, signal: AbortSignal): Promise<Result<MadeFolder>> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      void thread.terminate();
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      reject(new Error(`The thread that makes folders ended with ${code}.`));
    });
    thread.ref();
    thread.postMessage(archive);
  });

export const createFolderMaker = (): FolderMaker => {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let spare: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;

  const endSpare = async (): Promise<void> => {
    clearTimeout(idle);
    const thread = spare;
    spare = null;
    await thread?.terminate();
  };

  const expect = (): void => {
    clearTimeout(idle);
    idle = setTimeout(() => void endSpare(), IDLE_MS).unref();
    if (spare) return;
    const thread = startThread();
    thread.once('exit', () => {
      if (spare === thread) spare = null;
    });
    spare = thread;
  };

  const takeThread = (): Worker => {
    const thread = spare ?? startThread();
    spare = null;
    return thread;
  };

  return {
    expect,
    make: async (archive, signal) => {
      if (waiting >= WAITING_MAX) {
        return err(
          failure(
            'UPLOAD_SERVER_BUSY',
            'The server is reading many folders at the moment; try again in a few seconds.',
            {
              afterMs: RETRY_AFTER_MS,
            },
          ),
        );
      }
      waiting += 1;
      const turn = last.then(() => {
        signal.throwIfAborted();
        return runIn(takeThread(), archive, signal);
      });
      last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        waiting -= 1;
      }
    },
    close: endSpare,
  };
};
