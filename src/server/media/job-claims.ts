/**
 * Claims items whose media is to be processed, so that only one of the nodes on one database processes an item at a
 * time. The claim of a killed node expires. Also counts the errors of an item over all nodes.
 */

import { type Query, raw, type Sql, sql } from '../database/database.ts';
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
  const write = (query: Query): Promise<number> => records.transaction((tx) => tx.run(query), { durable: false });
  /** Condition: no other node has claimed the item. */
  const free = (): Query => sql`("jobUntil" IS NULL OR "jobUntil" <= ${sharedClock.now()} OR "jobBy" = ${node})`;

  return {
    free,
    /** False: another node was faster, or the item is finished. */
    take: async (seq: number): Promise<boolean> =>
      (await write(
        sql`UPDATE "content" SET "jobBy" = ${node}, "jobUntil" = ${sharedClock.now() + CLAIM_MS}
          WHERE "seq" = ${seq} AND ${UNFINISHED} AND ${free()}`,
      )) > 0,
    renew: async (seq: number): Promise<void> => {
      await write(
        sql`UPDATE "content" SET "jobUntil" = ${sharedClock.now() + CLAIM_MS} WHERE "seq" = ${seq} AND "jobBy" = ${node}`,
      );
    },
    release: async (seq: number): Promise<void> => {
      await write(
        sql`UPDATE "content" SET "jobBy" = NULL, "jobUntil" = NULL WHERE "seq" = ${seq} AND "jobBy" = ${node}`,
      );
    },
    /** Counts an error; resolves with the number of errors of all nodes. */
    countError: async (seq: number): Promise<number> => {
      const row = await records.get<{ jobTries: number }>(
        sql`UPDATE "content" SET "jobTries" = "jobTries" + 1 WHERE "seq" = ${seq} RETURNING "jobTries"`,
      );
      return row?.jobTries ?? 0;
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
