/**
 * Adds the table `storeId`, which has at most one row: the random id that a server's database and its S3 bucket have in
 * common, so that a bucket of another server is noticed. A server with local files has no row.
 *
 * - `claimedBy`, `claimedUntil`: the node that writes the id to the bucket, and until when the others leave it to it
 * - `placedAt`: when the id was written to the bucket
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
