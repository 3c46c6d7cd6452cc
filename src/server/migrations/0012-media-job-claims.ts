/**
 * Claims on the processing of an item's media: `jobBy` is the node that processes it, until `jobUntil`. `jobTries`
 * counts the attempts that have had no result, for example because the server failed or ended.
 */
export const sql = `
ALTER TABLE "content" ADD COLUMN "jobBy" TEXT;
ALTER TABLE "content" ADD COLUMN "jobUntil" INTEGER;
ALTER TABLE "content" ADD COLUMN "jobTries" INTEGER NOT NULL DEFAULT 0;
`;
