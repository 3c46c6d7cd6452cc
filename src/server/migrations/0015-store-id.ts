/**
 * The id that the records share with the S3 store of their objects, in one row; none where the objects are in files.
 * `placedAt`: when it was written to the store; before that the node `claimedBy` does so, until `claimedUntil`.
 */
export const sql = `
CREATE TABLE "storeId" (
  "only" INTEGER PRIMARY KEY CHECK ("only" = 1),
  "id" TEXT NOT NULL,
  "claimedBy" TEXT,
  "claimedUntil" INTEGER,
  "placedAt" INTEGER
) STRICT;
`;
