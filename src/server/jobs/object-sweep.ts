/**
 * Finds objects that no item or upload owns, and adds them to the deletion queue. A server leaves such objects when it
 * is killed after storing an object and before publishing it. At start, a server with local storage also stages the
 * files of unfinished uploads again that a restored backup has as permanent, and with SQLite adds rows for files without
 * one.
 */
import type { Clock } from '../clock-and-random.ts';
import type { Log } from '../log.ts';
import type { FoundFile, ObjectRows } from '../storage/object-rows.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import type { DeletionQueue } from './deletion-queue.ts';

const EVERY_MS = 60_000;
/** Objects of other nodes are left alone this long after their last change: no request takes longer. */
const UNTOUCHED_MS = 24 * 3_600_000;
/** Until then a commit whose answer was lost is done or has failed. */
const ABANDONED_MS = 30_000;
const ADOPTED_AT_ONCE = 500;

interface SweepDeps {
  readonly rows: Pick<ObjectRows, 'disown' | 'adopt' | 'awaited' | 'settle' | 'enqueueOrphans'>;
  readonly deletions: Pick<DeletionQueue, 'run'>;
  /** Files that may lack a row; none for a store that is not in files. */
  readonly files: (() => AsyncIterable<FoundFile>) | null;
  /** Stages a file again; null for a store that is not in files. */
  readonly restage: ((id: ObjectId) => Promise<void>) | null;
  /** Disowns what nodes have left that were killed and did not return. */
  readonly disownLost: () => Promise<void>;
  /** False: other nodes find what is abandoned. */
  readonly runsJobs: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ObjectSweep {
  /**
   * Sweeps what an earlier process of this node has left, and from then on whatever is abandoned. Run it before requests are
   * served.
   */
  start(): Promise<void>;
  /** Sweeps once. */
  run(): Promise<void>;
  close(): Promise<void>;
}

export const createObjectSweep = ({
  rows,
  deletions,
  files,
  restage,
  disownLost,
  runsJobs,
  clock,
  log,
}: SweepDeps): ObjectSweep => {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const sweep = async (): Promise<void> => {
    await rows.settle();
    if (!runsJobs) return;
    await disownLost();
    const now = clock.now();
    if ((await rows.enqueueOrphans(now - UNTOUCHED_MS, now - ABANDONED_MS)) > 0) void deletions.run();
  };

  const adopt = async (found: AsyncIterable<FoundFile>): Promise<void> => {
    let batch: FoundFile[] = [];
    for await (const file of found) {
      batch.push(file);
      if (batch.length < ADOPTED_AT_ONCE) continue;
      await rows.adopt(batch);
      batch = [];
    }
    if (batch.length > 0) await rows.adopt(batch);
  };

  const sweepLater = (): void => {
    running = sweep().catch((error: unknown) =>
      log(`Looking for abandoned objects failed and will be tried again: ${String(error)}`, { level: 'warn' }),
    );
  };

  return {
    start: async () => {
      await rows.disown();
      if (files !== null) await adopt(files());
      if (restage !== null) for (const id of await rows.awaited()) await restage(id);
      await sweep();
      timer = setInterval(sweepLater, EVERY_MS).unref();
    },
    run: sweep,
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
};
