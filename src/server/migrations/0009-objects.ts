/**
 * A row for each object of the store, written before its first byte, and the master keys that stored objects need. Also
 * the node that has claimed a deletion (`claimedBy`), until `dueAt`.
 *
 * - `node`: the node that stores the object; null once an item owns it, empty if the node has ended, `?` while it is
 *   unknown whether an item owns it
 * - `size`: null while an object of unknown size is received, and for files of an earlier version
 * - `chunks`: the number of chunks that may exist; null for a store of files
 * - `header`: null where it is in the file
 * - `wrappedKey`, `keyId`: the object's keys, wrapped by the master key `keyId`; null for files of an earlier version
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
