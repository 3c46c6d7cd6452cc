/**
 * A row for each object, written before its first byte. `node` is the server that answers for it: null once an item owns
 * it, empty when that server has ended. `size` is unknown while the object is received; `chunks`, for a store of chunks,
 * how many of them may exist. `header` is null where it is in the file. Keys are wrapped by the master key `keyId`; rows
 * without are of files of an earlier version. `masterKeys` has the keys that something stored may need. `claimedBy` is the
 * node that carries out a deletion until `dueAt`.
 */
export const sql = `
CREATE TABLE "objects" (
  "id" TEXT PRIMARY KEY,
  "state" TEXT NOT NULL CHECK ("state" IN ('staged', 'permanent')),
  "size" INTEGER,
  "chunks" INTEGER,
  "header" BLOB,
  "keyId" TEXT,
  "wrappedKey" BLOB,
  "node" TEXT,
  "stagedAt" INTEGER NOT NULL
) STRICT;
CREATE INDEX "objectsUnsettled" ON "objects" ("node", "stagedAt") WHERE "node" IS NOT NULL;

CREATE TABLE "masterKeys" (
  "keyId" TEXT PRIMARY KEY,
  "usedSince" INTEGER NOT NULL
) STRICT;

ALTER TABLE "deletions" ADD COLUMN "claimedBy" TEXT;
`;
