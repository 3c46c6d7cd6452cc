/**
 * Adds the column of a video's chapters: a JSON array of `[milliseconds, title]` pairs, null for a video without
 * chapters.
 */
export const sql = `
ALTER TABLE "content" ADD COLUMN "chapters" TEXT;
`;
