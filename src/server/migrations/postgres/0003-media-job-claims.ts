/** The claims on media jobs: what ../0012-media-job-claims.ts adds to SQLite. */
export const sql = `
ALTER TABLE "content" ADD COLUMN "jobBy" TEXT;
ALTER TABLE "content" ADD COLUMN "jobUntil" BIGINT;
ALTER TABLE "content" ADD COLUMN "jobTries" BIGINT NOT NULL DEFAULT 0;
`;
