/**
 * Claims on the processing of an item's media: `jobBy` is the node that processes it, until `jobUntil`. `jobTries`
 * counts the server's own errors while it processes the item.
 */
export const sql = `
ALTER TABLE "content" ADD COLUMN "jobBy" TEXT;
ALTER TABLE "content" ADD COLUMN "jobUntil" INTEGER;
ALTER TABLE "content" ADD COLUMN "jobTries" INTEGER NOT NULL DEFAULT 0;
`;
