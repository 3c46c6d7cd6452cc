/**
 * Remembers in memory the items whose files this node could not read though the store works, so that the items after them
 * are processed meanwhile. An item is left out for seconds after its first failure, and for minutes after many.
 */
import type { Clock } from '../clock-and-random.ts';
import type { Dialect } from '../database/database-interface.ts';
import { type Query, sql } from '../database/sql-template.ts';

const FIRST_WAIT_MS = 5_000;
const LAST_WAIT_MS = 5 * 60_000;

export const createPostponedItems = (clock: Clock, dialect: Dialect) => {
  const items = new Map<number, { readonly until: number; readonly waitMs: number }>();
  const waiting = () => [...items].filter(([, { until }]) => until > clock.now());

  return {
    add: (seq: number): void => {
      const waitMs = Math.min(LAST_WAIT_MS, 2 * (items.get(seq)?.waitMs ?? FIRST_WAIT_MS / 2));
      items.set(seq, { until: clock.now() + waitMs, waitMs });
      // Deleted since, or processed.
      for (const [other, { until }] of items) if (until + LAST_WAIT_MS < clock.now()) items.delete(other);
    },
    /** Condition: the item is not left out now. One text for any number of them, because each text is prepared. */
    due: (): Query => {
      const list = `,${waiting()
        .map(([seq]) => `${seq},`)
        .join('')}`;
      return sql`${dialect.indexOf(sql`CAST(${list} AS TEXT)`, sql`',' || CAST("seq" AS TEXT) || ','`)} = 0`;
    },
    /** When the next item is no longer left out; null: none is. */
    nextEnd: (): number | null => {
      const ends = waiting().map(([, { until }]) => until);
      return ends.length === 0 ? null : Math.min(...ends);
    },
  };
};
