/**
 * Normalises archives in worker threads, one at a time, so that the server stays responsive and the memory of one
 * archive is freed before the next one needs it. The account that has recently used the least processing time comes
 * first. Unless another archive is being normalised, a thread starts while the archive is still being received.
 */
import { Worker } from 'node:worker_threads';
import { err, failure, type Result, unreachable } from '../../api/errors.ts';
import type { AccountId } from '../../api/ids.ts';
import { workerFile } from '../../base/node/worker-file.ts';
import type { Clock } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import { createFairPool, type Runner } from '../fairness/fair-pool.ts';
import { createUsageLedger } from '../fairness/usage-ledger.ts';
import type { SealedFile } from '../storage/sealed-reader.ts';
import type { NormalisedArchive } from './normalise-archive.ts';
import { archiveInvalid } from './read-archive.ts';

export interface ArchiveWorker {
  /** An archive will arrive soon: starts a thread in advance, which takes longer than reading most archives. */
  readonly expect: () => void;
  /**
   * Reads, filters and packs an archive. UPLOAD_SERVER_BUSY when too many are waiting; rejects with the signal's reason
   * when it aborts, and when the archive cannot be read from the disk.
   */
  readonly make: (accountId: AccountId, archive: SealedFile, signal: AbortSignal) => Promise<Result<NormalisedArchive>>;
  readonly close: () => Promise<void>;
}

export interface ArchiveWorkerOptions {
  readonly clock: Clock;
  readonly limits: ServerConfig['folders'];
  readonly fairness: ServerConfig['fairness'];
}

const RETRY_AFTER_MS = 5_000;
/** An idle thread is stopped after this time. */
const IDLE_MS = 20_000;
const SECOND = 1_000;

/** MiB of a thread's heap: enough for 50,000 entries, with early collection of garbage. */
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 192 };

/** Runs one archive. */
const startThread = async (): Promise<Runner<SealedFile, Result<NormalisedArchive>>> => {
  const thread = new Worker(workerFile(import.meta.url, 'archive-worker-thread'), {
    resourceLimits: HEAP,
    execArgv: [],
  });
  let isAlive = true;
  // A thread that fails while idle is replaced; one that fails in use reports to its user.
  thread.on('error', () => {});
  thread.once('exit', () => {
    isAlive = false;
  });
  thread.unref();

  return {
    run: (archive, { answered }) =>
      new Promise((resolve, reject) => {
        isAlive = false;
        thread.once('message', answered);
        thread.once('error', reject);
        thread.once('exit', (code) => {
          if (code === 0) resolve();
          else reject(new Error(`The thread that makes folders ended with ${code}.`));
        });
        thread.ref();
        thread.postMessage(archive);
      }),
    usedMs: () => null,
    stop: () => void thread.terminate(),
    isAlive: () => isAlive,
  };
};

export const createArchiveWorker = ({ clock, limits, fairness }: ArchiveWorkerOptions): ArchiveWorker => {
  const heavyMs = fairness.heavySeconds * SECOND;
  const pool = createFairPool<SealedFile, Result<NormalisedArchive>>({
    places: 1,
    start: startThread,
    ledger: createUsageLedger(clock, fairness.cores),
    waiting: { perOwner: limits.waitingPerAccount, inAll: limits.waitingInAll },
    quickMs: heavyMs,
    heavyDebtMs: heavyMs,
    idleMs: IDLE_MS,
  });

  const busy = () => {
    const detail = 'The server is reading many folders at the moment; try again in a few seconds.';
    return err(failure('UPLOAD_SERVER_BUSY', detail, { afterMs: RETRY_AFTER_MS }));
  };

  return {
    expect: pool.expect,
    make: async (accountId, archive, signal) => {
      signal.throwIfAborted();
      const outcome = await pool.run({ owner: accountId, task: archive, wallMs: limits.wallSeconds * SECOND }, signal);
      switch (outcome.kind) {
        case 'answered':
          return outcome.answer;
        case 'dropped':
          return busy();
        case 'broke':
          throw outcome.error;
        case 'too-slow':
          return err(archiveInvalid('The folder takes too long to read; leave out what is not source code.'));
        default:
          return unreachable(outcome);
      }
    },
    close: async () => pool.close(),
  };
};
