/** Counters that change only in the transaction that changes what they count: used storage, and views per day. */
import type Database from 'better-sqlite3';
import type { ContentType } from '../../api/content.ts';
import type { AccountId, ContentId } from '../../api/ids.ts';
import type { ViewsByDay } from '../../api/lists.ts';
import { ProblemError } from '../problem.ts';

export interface KindUse {
  readonly type: ContentType;
  readonly items: number;
  readonly bytes: number;
}

/** Counts the used storage of an account; it changes only in the transaction that adds or removes the counted bytes. */
export const createStorageUse = (database: Database.Database) => {
  const raise = database.prepare<{ id: AccountId; size: number; quota: number }>(
    'UPDATE accounts SET storageUsed = storageUsed + @size WHERE id = @id AND storageUsed + @size <= @quota',
  );
  const lower = database.prepare<{ id: AccountId; size: number }>(
    'UPDATE accounts SET storageUsed = max(0, storageUsed - @size) WHERE id = @id',
  );
  const selectKinds = database.prepare<[AccountId], KindUse>(
    `SELECT type, count(*) AS items, sum(size) AS bytes FROM content
     WHERE accountId = ? AND objectId IS NOT NULL GROUP BY type`,
  );
  const selectUsed = database.prepare<[AccountId], number>('SELECT storageUsed FROM accounts WHERE id = ?').pluck();
  return {
    /** Adds `size` bytes. Throws QUOTA_EXCEEDED when the total would exceed `quota`. */
    take: (id: AccountId, size: number, quota: number): void => {
      if (raise.run({ id, size, quota }).changes > 0) return;
      throw new ProblemError(
        'QUOTA_EXCEEDED',
        `The account has no space left for ${size} bytes; delete items or choose a larger plan.`,
        { params: { limitBytes: quota, usedBytes: selectUsed.get(id) } },
      );
    },
    release: (id: AccountId, size: number): void => {
      lower.run({ id, size });
    },
    /** What each kind of items uses; kinds without items are absent. */
    byKind: (id: AccountId): readonly KindUse[] => selectKinds.all(id),
  };
};

const DAY_MS = 86_400_000;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Counted views of items per day in UTC. A counter increases only in the transaction that counts the view itself. */
export const createViewDays = (database: Database.Database) => {
  const raise = database.prepare<[ContentId, string]>(
    `INSERT INTO viewDays (contentId, day, views) VALUES (?, ?, 1)
     ON CONFLICT DO UPDATE SET views = views + 1`,
  );
  const select = database.prepare<[ContentId, string], { day: string; views: number }>(
    'SELECT day, views FROM viewDays WHERE contentId = ? AND day >= ?',
  );
  return {
    count: (id: ContentId, now: number): void => {
      raise.run(id, dayOf(now));
    },
    /** The last `count` days up to that of `now`, oldest first, without gaps. */
    days: (id: ContentId, count: number, now: number): ViewsByDay['days'] => {
      const dates = Array.from({ length: count }, (_, index) => dayOf(now - (count - 1 - index) * DAY_MS));
      const counted = new Map(select.all(id, dates[0] ?? dayOf(now)).map(({ day, views }) => [day, views]));
      return dates.map((date) => ({ date, views: counted.get(date) ?? 0 }));
    },
  };
};
