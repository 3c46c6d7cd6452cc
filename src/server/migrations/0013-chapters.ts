/** The chapters of a video: a JSON array of `[milliseconds, title]`; null without any. */
export const sql = `
ALTER TABLE "content" ADD COLUMN "chapters" TEXT;
`;
