/**
 * Claims items for media processing, so that only one node that shares the database processes an item at a time. The
 * claim of a killed node expires. Also counts the unfinished attempts of each item on all nodes, so that an item that
 * crashes every process can be detected.
 */

import type { Sql, Transaction } from '../database/database-interface.ts';
import { type Query, raw, sql } from '../database/sql-template.ts';
import type { ServerDeps } from '../deps.ts';

const CLAIM_MS = 60_000;
export const RENEW_CLAIM_MS = 20_000;

const UNFINISHED = raw(`("mediaStatus" = 'PROCESSING' OR "previewWanted" = 1)`);

export const createJobClaims = ({
  records,
  sharedClock,
  node,
}: Pick<ServerDeps, 'records' | 'sharedClock' | 'node'>) => {
  /** A claim that a power cut undoes was of no use anyway. */
  const written = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    records.transaction(work, { durable: false });
  const write = (query: Query): Promise<number> => written((tx) => tx.run(query));
  /** Tries of this node that do not count, and that it could not take back while the records were away. */
  const uncounted = new Set<number>();
  /** Condition: no other node has claimed the item. One that is farther ahead was made before the clock was set back. */
  const free = (): Query => sql`("jobUntil" IS NULL OR "jobUntil" <= ${sharedClock.now()}
      OR "jobUntil" > ${sharedClock.now() + 2 * CLAIM_MS} OR "jobBy" = ${node})`;

  return {
    free,
    /** Resolves with the number of this try; null: another node was faster, or the item is finished. */
    take: async (seq: number): Promise<number | null> => {
      const row = await written((tx) =>
        tx.get<{ jobTries: number }>(
          sql`UPDATE "content" SET "jobBy" = ${node}, "jobUntil" = ${sharedClock.now() + CLAIM_MS},
              "jobTries" = "jobTries" + ${raw(uncounted.has(seq) ? '0' : '1')}
            WHERE "seq" = ${seq} AND ${UNFINISHED} AND ${free()} RETURNING "jobTries"`,
        ),
      );
      uncounted.delete(seq);
      return row?.jobTries ?? null;
    },
    renew: async (seq: number): Promise<void> => {
      await write(
        sql`UPDATE "content" SET "jobUntil" = ${sharedClock.now() + CLAIM_MS} WHERE "seq" = ${seq} AND "jobBy" = ${node}`,
      );
    },
    /** Without a result. A try counts unless it has not shown anything about the item. */
    release: async (seq: number, isCounted: boolean): Promise<void> => {
      if (!isCounted) uncounted.add(seq);
      await write(
        sql`UPDATE "content" SET "jobBy" = NULL, "jobUntil" = NULL,
            "jobTries" = "jobTries" - ${raw(isCounted ? '0' : '1')}
          WHERE "seq" = ${seq} AND "jobBy" = ${node}`,
      );
      uncounted.delete(seq);
    },
    /** In the transaction that saves the result. False: the claim has ended and another node has the item, or had it. */
    finish: async (tx: Sql, seq: number): Promise<boolean> =>
      (await tx.run(
        sql`UPDATE "content" SET "jobBy" = NULL, "jobUntil" = NULL, "jobTries" = 0
          WHERE "seq" = ${seq} AND "jobBy" = ${node}`,
      )) > 0,
    /** When the first claim of another node ends; null: there is none. */
    nextEnd: async (): Promise<number | null> => {
      const row = await records.get<{ end: number | null }>(
        sql`SELECT min("jobUntil") AS "end" FROM "content" WHERE ${UNFINISHED}`,
      );
      return row?.end ?? null;
    },
  };
};
