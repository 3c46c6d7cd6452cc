/**
 * Deletes objects from the store through a persistent queue, so that an enqueued object is eventually deleted despite
 * errors and restarts (API document, "Visibility and protection rules", 5). A node claims a deletion first, so that no
 * other node on the same database repeats it; the claims of a killed node expire.
 */

import type { Clock } from '../clock-and-random.ts';
import type { ServerDatabase, Transaction } from '../database/database-interface.ts';
import { sql } from '../database/sql-template.ts';
import type { Log } from '../log.ts';
import type { ObjectId, ObjectStore } from '../storage/object-store-interface.ts';

export interface DeletionQueue {
  /** In the transaction `tx`, after which nothing refers to the object. */
  enqueue(tx: Transaction, id: ObjectId): Promise<void>;
  /** Number of objects still to be deleted. */
  pending(): Promise<number>;
  /** Deletes everything that is due; runs automatically after `enqueue` and after errors. */
  run(): Promise<void>;
  close(): Promise<void>;
}

interface DeletionDeps {
  readonly records: ServerDatabase;
  readonly objects: Pick<ObjectStore, 'remove'>;
  readonly clock: Clock;
  readonly log: Log;
  /** This node; no other process that runs at the same time has this name. */
  readonly node: string;
  /** False: other nodes delete what this one enqueues. True by default. */
  readonly runsJobs?: boolean;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15 * 60_000;
/** A time that is farther ahead was stored before the clock was set back: those of nodes differ by less. */
const AHEAD_MS = 2 * LAST_RETRY_MS;
const BATCH = 50;
/** A claim ends after this time, longer than removing a large object takes. */
const CLAIM_MS = 60_000;

interface Claimed {
  readonly objectId: ObjectId;
  /** Tries that failed; a claim that was not carried out does not count. */
  readonly attempts: number;
}

export const createDeletionQueue = ({
  records,
  objects,
  clock,
  log,
  node,
  runsJobs = true,
}: DeletionDeps): DeletionQueue => {
  let closed = false;
  /** Whether the claims of an earlier process of this node have been released. */
  let isFresh = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  /** Something was enqueued while a run may have been past it. */
  let isAsked = false;

  const claim = (now: number): Promise<readonly Claimed[]> =>
    records.all<Claimed>(
      sql`UPDATE "deletions" SET "dueAt" = ${now + CLAIM_MS}, "claimedBy" = ${node}
        WHERE "objectId" IN (SELECT "objectId" FROM "deletions" WHERE "dueAt" <= ${now} OR "dueAt" > ${now + AHEAD_MS} ORDER BY "dueAt" LIMIT ${BATCH}
          ${records.dialect.skipLocked})
        RETURNING "objectId", "attempts"`,
    );

  const postpone = async ({ objectId, attempts }: Claimed, dueAt: number): Promise<void> => {
    await records.run(
      sql`UPDATE "deletions" SET "dueAt" = ${dueAt}, "claimedBy" = NULL, "attempts" = ${attempts}
        WHERE "objectId" = ${objectId}`,
    );
  };

  const removeOne = async ({ objectId, attempts }: Claimed): Promise<void> => {
    try {
      await objects.remove(objectId);
      await records.run(sql`DELETE FROM "deletions" WHERE "objectId" = ${objectId}`);
    } catch (error) {
      const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts, 20));
      const failed = attempts + 1;
      await postpone({ objectId, attempts: failed }, clock.now() + wait);
      log(`Deleting object ${objectId} failed (try ${failed}): ${String(error)}`, { level: 'warn' });
    }
  };

  const drain = async (): Promise<void> => {
    if (!isFresh) {
      await records.run(
        sql`UPDATE "deletions" SET "dueAt" = ${clock.now()}, "claimedBy" = NULL WHERE "claimedBy" = ${node}`,
      );
    }
    isFresh = true;
    for (;;) {
      if (closed) return;
      const now = clock.now();
      const batch = await claim(now);
      if (batch.length === 0) return;
      for (const claimed of batch) {
        // What is left of a slow batch is claimed again before another process may take it.
        if (clock.now() - now > CLAIM_MS / 2) await postpone(claimed, clock.now());
        else await removeOne(claimed);
      }
    }
  };

  const schedule = async (): Promise<void> => {
    if (closed) return;
    clearTimeout(timer);
    const next = await records.get<{ dueAt: number | null }>(sql`SELECT min("dueAt") AS "dueAt" FROM "deletions"`);
    const dueAt = next?.dueAt ?? null;
    if (dueAt === null || closed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void run(), Math.min(LAST_RETRY_MS, Math.max(0, dueAt - clock.now()))).unref();
  };

  const run = async (): Promise<void> => {
    if (!runsJobs) return;
    running ??= drain()
      .then(schedule)
      .catch((error: unknown) => {
        log(`The deletion queue failed: ${String(error)}`, { level: 'warn' });
        if (!closed) timer = setTimeout(() => void run(), FIRST_RETRY_MS).unref();
      })
      .finally(() => {
        running = undefined;
        if (isAsked && !closed) void run();
      });
    isAsked = false;
    await running;
  };

  return {
    enqueue: async (tx, id) => {
      await tx.run(
        sql`INSERT INTO "deletions" ("objectId", "attempts", "dueAt") VALUES (${id}, 0, ${clock.now()})
          ON CONFLICT ("objectId") DO NOTHING`,
      );
      tx.afterCommit(() => {
        if (closed) return;
        if (running === undefined) void run();
        else isAsked = true;
      });
    },
    pending: async () => (await records.get<{ n: number }>(sql`SELECT count(*) AS "n" FROM "deletions"`))?.n ?? 0,
    run,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
};
