/**
 * Counts requests against the budgets of `request-budgets.ts`, for all nodes that share one PostgreSQL. One SQL
 * statement counts a request and, where the time window of a budget is over, begins another. If PostgreSQL crashes,
 * the counts may be lost, and all windows begin again.
 */
import type { Clock } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import type { Sql } from '../database/database-interface.ts';
import { sql } from '../database/sql-template.ts';
import { type Budgets, budgetLimits, drawOf, WINDOW_MS } from './request-budgets.ts';

interface WindowRow {
  readonly openedAt: number;
  readonly count: number;
}

export const createSharedBudgets = (records: Sql, limits: ServerConfig['limits'], clock: Clock): Budgets => {
  const perMinute = budgetLimits(limits);

  return {
    take: async (budget, owner, factor = 1) => {
      const now = clock.now();
      // Clocks of nodes differ a little: a window that opens in a moment is open.
      const isOver = sql`("held"."openedAt" <= ${now - WINDOW_MS} OR "held"."openedAt" > ${now + WINDOW_MS})`;
      const row = await records.get<WindowRow>(
        sql`INSERT INTO "budgetWindows" AS "held" ("budget", "owner", "openedAt", "count")
          VALUES (${budget}, ${owner}, ${now}, 1)
          ON CONFLICT ("budget", "owner") DO UPDATE SET
            "openedAt" = CASE WHEN ${isOver} THEN EXCLUDED."openedAt" ELSE "held"."openedAt" END,
            "count" = CASE WHEN ${isOver} THEN 1 ELSE "held"."count" + 1 END
          RETURNING "openedAt", "count"`,
      );
      if (row === undefined) throw new Error('A window of a budget has no row.');
      return drawOf(row, perMinute[budget] * factor, now);
    },
    sweep: async () => {
      await records.run(sql`DELETE FROM "budgetWindows" WHERE "openedAt" <= ${clock.now() - 2 * WINDOW_MS}`);
    },
  };
};
