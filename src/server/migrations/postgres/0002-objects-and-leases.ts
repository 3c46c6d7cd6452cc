/**
 * Creates the tables of objects and of master keys, and adds the columns for claimed deletions and for the leases of
 * uploads: what ../0009-objects.ts and ../0010-upload-leases.ts add to SQLite.
 */
export const sql = `
CREATE TABLE "objects" (
  "id" TEXT COLLATE "C" PRIMARY KEY,
  "state" TEXT NOT NULL CHECK ("state" IN ('staged', 'permanent')),
  "size" BIGINT,
  "chunks" BIGINT,
  "header" BYTEA,
  "keyId" TEXT,
  "wrappedKey" BYTEA,
  "node" TEXT,
  "stagedAt" BIGINT NOT NULL
);
CREATE INDEX "objectsUnsettled" ON "objects" ("node", "stagedAt") WHERE "node" IS NOT NULL;

CREATE TABLE "masterKeys" (
  "keyId" TEXT PRIMARY KEY,
  "usedSince" BIGINT NOT NULL
);

ALTER TABLE "deletions" ADD COLUMN "claimedBy" TEXT;

ALTER TABLE "uploads" ADD COLUMN "lease" TEXT;
ALTER TABLE "uploads" ADD COLUMN "leaseUntil" BIGINT;
`;
