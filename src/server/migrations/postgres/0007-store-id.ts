/** The id that the records share with the S3 store of their objects: what ../0015-store-id.ts adds to SQLite. */
export const sql = `
CREATE TABLE "storeId" (
  "only" SMALLINT PRIMARY KEY CHECK ("only" = 1),
  "id" TEXT NOT NULL,
  "claimedBy" TEXT,
  "claimedUntil" BIGINT,
  "placedAt" BIGINT
);
`;
