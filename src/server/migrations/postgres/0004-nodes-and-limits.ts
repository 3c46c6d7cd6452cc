/**
 * Adds the table of the running nodes, and the tables by which limits count over all nodes: how many requests of a kind
 * run at once (slots) and how many are made in a minute (budgets). A crash of PostgreSQL empties the unlogged tables:
 * running requests take their slots again, except those for parts of uploads, which may have to be sent again, and
 * budgets start over.
 *
 * - `"keyIds"`: the master keys that a node has, newest first
 * - `"holders"`: the slots in use, `{name: {by, until}}`, with times of the database's clock
 */
export const sql = `
CREATE UNLOGGED TABLE "budgetWindows" (
  "budget" TEXT NOT NULL,
  "owner" TEXT NOT NULL,
  "openedAt" BIGINT NOT NULL,
  "count" BIGINT NOT NULL,
  PRIMARY KEY ("budget", "owner")
);
CREATE INDEX "budgetWindowsEnding" ON "budgetWindows" ("openedAt");

CREATE UNLOGGED TABLE "slots" (
  "accountId" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "holders" JSONB NOT NULL,
  PRIMARY KEY ("accountId", "kind")
);

CREATE TABLE "nodes" (
  "id" TEXT PRIMARY KEY,
  "name" TEXT NOT NULL,
  "role" TEXT NOT NULL CHECK ("role" IN ('all', 'api', 'worker')),
  "version" TEXT NOT NULL,
  "keyIds" TEXT NOT NULL,
  "hasLocalFiles" SMALLINT NOT NULL CHECK ("hasLocalFiles" IN (0, 1)),
  "startedAt" BIGINT NOT NULL,
  "seenAt" BIGINT NOT NULL
);
`;
