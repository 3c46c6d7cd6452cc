/** Counted views of items per day in UTC. A counter increases only in the transaction that counts the view itself. */
import type Database from 'better-sqlite3';
import type { ContentId } from '../../api/ids.ts';
import type { ViewsByDay } from '../../api/lists.ts';

const DAY_MS = 86_400_000;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

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
