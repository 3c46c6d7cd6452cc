/**
 * Counts the used storage of an account, within its quota, and the views of an item per day. A counter changes only in
 * the transaction that changes what it counts.
 */
import type { ContentType } from '../../api/content.ts';
import type { AccountId, ContentId } from '../../api/ids.ts';
import type { ViewsByDay } from '../../api/views-by-day.ts';
import type { Sql } from '../database/database-interface.ts';
import { sql } from '../database/sql-template.ts';
import { ProblemError } from '../problem-details.ts';

export interface KindUse {
  readonly type: ContentType;
  readonly items: number;
  readonly bytes: number;
}

/** Counts the used storage of an account; it changes only in the transaction that adds or removes the counted bytes. */
export const storageUse = (records: Sql) => ({
  /** Adds `size` bytes. Throws QUOTA_EXCEEDED when the total would exceed `quota`. */
  take: async (id: AccountId, size: number, quota: number): Promise<void> => {
    const changed = await records.run(
      sql`UPDATE "accounts" SET "storageUsed" = "storageUsed" + ${size}
        WHERE "id" = ${id} AND "storageUsed" + ${size} <= ${quota}`,
    );
    if (changed > 0) return;
    const account = await records.get<{ storageUsed: number }>(
      sql`SELECT "storageUsed" FROM "accounts" WHERE "id" = ${id}`,
    );
    throw new ProblemError(
      'QUOTA_EXCEEDED',
      `The account has no space left for ${size} bytes; delete items or choose a larger plan.`,
      { params: { limitBytes: quota, usedBytes: account?.storageUsed } },
    );
  },
  release: async (id: AccountId, size: number): Promise<void> => {
    await records.run(
      sql`UPDATE "accounts" SET "storageUsed" = CASE WHEN "storageUsed" > ${size} THEN "storageUsed" - ${size} ELSE 0 END
        WHERE "id" = ${id}`,
    );
  },
  /** What each kind of items uses; kinds without items are absent. */
  byKind: (id: AccountId): Promise<readonly KindUse[]> =>
    records.all<KindUse>(
      sql`SELECT "type", count(*) AS "items", CAST(sum("size") AS BIGINT) AS "bytes" FROM "content"
        WHERE "accountId" = ${id} AND "objectId" IS NOT NULL GROUP BY "type"`,
    ),
});

const DAY_MS = 86_400_000;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Counted views of items per day in UTC. A counter increases only in the transaction that counts the view itself. */
export const viewDays = (records: Sql) => ({
  count: async (id: ContentId, now: number): Promise<void> => {
    await records.run(
      sql`INSERT INTO "viewDays" ("contentId", "day", "views") VALUES (${id}, ${dayOf(now)}, 1)
        ON CONFLICT ("contentId", "day") DO UPDATE SET "views" = "viewDays"."views" + 1`,
    );
  },
  forget: async (id: ContentId): Promise<void> => {
    await records.run(sql`DELETE FROM "viewDays" WHERE "contentId" = ${id}`);
  },
  /** The last `count` days up to that of `now`, oldest first, without gaps. */
  days: async (id: ContentId, count: number, now: number): Promise<ViewsByDay['days']> => {
    const dates = Array.from({ length: count }, (_, index) => dayOf(now - (count - 1 - index) * DAY_MS));
    const rows = await records.all<{ day: string; views: number }>(
      sql`SELECT "day", "views" FROM "viewDays" WHERE "contentId" = ${id} AND "day" >= ${dates[0] ?? dayOf(now)}`,
    );
    const counted = new Map(rows.map(({ day, views }) => [day, views]));
    return dates.map((date) => ({ date, views: counted.get(date) ?? 0 }));
  },
});
