/** Adds the id that the database and the S3 store of its objects share, as ../0015-store-id.ts does for SQLite. */
export const sql = `
CREATE TABLE "storeId" (
  "only" SMALLINT PRIMARY KEY CHECK ("only" = 1),
  "id" TEXT NOT NULL,
  "claimedBy" TEXT,
  "claimedUntil" BIGINT,
  "placedAt" BIGINT
);
`;
