/**
 * Who processes an item's media: the node `jobBy`, until `jobUntil`. `jobTries` counts the errors of the server itself at
 * an item that is not finished.
 */
export const sql = `
ALTER TABLE "content" ADD COLUMN "jobBy" TEXT;
ALTER TABLE "content" ADD COLUMN "jobUntil" INTEGER;
ALTER TABLE "content" ADD COLUMN "jobTries" INTEGER NOT NULL DEFAULT 0;
`;
