/**
 * Deletes objects through a persistent queue: what was enqueued in a transaction is eventually deleted from the store,
 * despite errors and restarts (API document, "Visibility and protection rules", 5). A deletion is claimed before it is
 * carried out: processes on the same database do not delete an object twice, and a killed one's claim ends by itself.
 */

import type Database from 'better-sqlite3';
import type { Clock } from '../clock-and-random.ts';
import type { Log } from '../log.ts';
import type { ObjectId, ObjectStore } from '../storage/object-store.ts';

export interface DeletionQueue {
  /** Call it inside the transaction that removes the object's row. */
  enqueue(id: ObjectId): void;
  /** Number of objects still to be deleted. */
  pending(): number;
  /** Deletes everything that is due; runs automatically after `enqueue` and after errors. */
  run(): Promise<void>;
  close(): Promise<void>;
}

interface DeletionDeps {
  readonly database: Database.Database;
  readonly objects: Pick<ObjectStore, 'remove'>;
  readonly clock: Clock;
  readonly log: Log;
  /** This node; no other process that runs at the same time has this name. */
  readonly node: string;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15 * 60_000;
const BATCH = 50;
/** A claim ends after this time, longer than removing a large object takes. */
const CLAIM_MS = 60_000;

interface Claimed {
  readonly objectId: ObjectId;
  /** Including this one. */
  readonly attempts: number;
}

export const createDeletions = ({ database, objects, clock, log, node }: DeletionDeps): DeletionQueue => {
  const insert = database.prepare<[ObjectId, number]>(
    'INSERT OR IGNORE INTO deletions (objectId, attempts, dueAt) VALUES (?, 0, ?)',
  );
  const claim = database.prepare<[number, string, number, number], Claimed>(
    `UPDATE "deletions" SET "dueAt" = ?, "claimedBy" = ?, "attempts" = "attempts" + 1
     WHERE "objectId" IN (SELECT "objectId" FROM "deletions" WHERE "dueAt" <= ? ORDER BY "dueAt" LIMIT ?)
     RETURNING "objectId", "attempts"`,
  );
  const next = database.prepare<[], { dueAt: number | null }>('SELECT min(dueAt) AS dueAt FROM deletions');
  const done = database.prepare<[ObjectId]>('DELETE FROM deletions WHERE objectId = ?');
  const postpone = database.prepare<[number, ObjectId]>(
    'UPDATE "deletions" SET "dueAt" = ?, "claimedBy" = NULL WHERE "objectId" = ?',
  );
  const releaseOwn = database.prepare<[number, string]>(
    'UPDATE "deletions" SET "dueAt" = ?, "claimedBy" = NULL WHERE "claimedBy" = ?',
  );
  const count = database.prepare<[], { n: number }>('SELECT count(*) AS n FROM deletions');

  let closed = false;
  /** Whether the claims of an earlier process of this node have been released. */
  let isFresh = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const removeOne = async ({ objectId, attempts }: Claimed): Promise<void> => {
    try {
      await objects.remove(objectId);
      done.run(objectId);
    } catch (error) {
      const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 20));
      postpone.run(clock.now() + wait, objectId);
      log(`Deleting object ${objectId} failed (try ${attempts}): ${String(error)}`, { level: 'warn' });
    }
  };

  const drain = async (): Promise<void> => {
    if (!isFresh) releaseOwn.run(clock.now(), node);
    isFresh = true;
    for (;;) {
      if (closed) return;
      const now = clock.now();
      const batch = claim.all(now + CLAIM_MS, node, now, BATCH);
      if (batch.length === 0) return;
      for (const claimed of batch) {
        // What is left of a slow batch is claimed again before another process may take it.
        if (clock.now() - now > CLAIM_MS / 2) postpone.run(clock.now(), claimed.objectId);
        else await removeOne(claimed);
      }
    }
  };

  const schedule = (): void => {
    if (closed) return;
    clearTimeout(timer);
    const dueAt = next.get()?.dueAt;
    if (dueAt === null || dueAt === undefined) return;
    timer = setTimeout(() => void run(), Math.min(LAST_RETRY_MS, Math.max(0, dueAt - clock.now()))).unref();
  };

  const run = (): Promise<void> => {
    running ??= drain()
      .catch((error: unknown) => log(`The deletion queue failed: ${String(error)}`, { level: 'warn' }))
      .finally(() => {
        running = undefined;
        schedule();
      });
    return running;
  };

  return {
    enqueue: (id) => {
      insert.run(id, clock.now());
      // After the surrounding transaction, which is synchronous, has ended.
      if (!closed) setImmediate(() => closed || void run());
    },
    pending: () => count.get()?.n ?? 0,
    run,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
};
