/**
 * Deletes objects through a persistent queue: what was enqueued in a transaction is eventually deleted from the store,
 * despite errors and restarts (API document, "Visibility and protection rules", 5). Also finds objects without a row, at
 * the start.
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
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15 * 60_000;
const BATCH = 50;

export const createDeletions = ({ database, objects, clock, log }: DeletionDeps): DeletionQueue => {
  const insert = database.prepare<[ObjectId, number]>(
    'INSERT OR IGNORE INTO deletions (objectId, attempts, dueAt) VALUES (?, 0, ?)',
  );
  const due = database.prepare<[number, number], { objectId: ObjectId; attempts: number }>(
    'SELECT objectId, attempts FROM deletions WHERE dueAt <= ? ORDER BY dueAt LIMIT ?',
  );
  const next = database.prepare<[], { dueAt: number | null }>('SELECT min(dueAt) AS dueAt FROM deletions');
  const done = database.prepare<[ObjectId]>('DELETE FROM deletions WHERE objectId = ?');
  const postpone = database.prepare<[number, ObjectId]>(
    'UPDATE deletions SET attempts = attempts + 1, dueAt = ? WHERE objectId = ?',
  );
  const count = database.prepare<[], { n: number }>('SELECT count(*) AS n FROM deletions');

  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const removeOne = async (objectId: ObjectId, attempts: number): Promise<void> => {
    try {
      await objects.remove(objectId);
      done.run(objectId);
    } catch (error) {
      const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts, 20));
      postpone.run(clock.now() + wait, objectId);
      log(`Deleting object ${objectId} failed (try ${attempts + 1}): ${String(error)}`, { level: 'warn' });
    }
  };

  const drain = async (): Promise<void> => {
    for (;;) {
      const batch = due.all(clock.now(), BATCH);
      if (batch.length === 0 || closed) return;
      for (const { objectId, attempts } of batch) await removeOne(objectId, attempts);
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

// Finds objects without a row, which a server leaves when it is killed between creating a file and recording it.

/** A table that references objects. */
interface ObjectOwner {
  ownsObject(id: ObjectId): boolean;
}

/**
 * Adds every object unknown to all `owners` to the deletion queue and resolves with their number. Run it before
 * requests are served: an object in creation has no row yet.
 */
export const sweepOrphans = async (
  { objects, deletions }: { readonly objects: Pick<ObjectStore, 'list'>; readonly deletions: DeletionQueue },
  owners: readonly ObjectOwner[],
): Promise<number> => {
  let orphans = 0;
  for await (const { id } of objects.list()) {
    if (owners.some((owner) => owner.ownsObject(id))) continue;
    deletions.enqueue(id);
    orphans += 1;
  }
  return orphans;
};
