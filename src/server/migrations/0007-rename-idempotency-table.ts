/** Renames the table of idempotency keys, once `replays`, to the term that the code uses. */
export const sql = `
ALTER TABLE replays RENAME TO idempotencyRecords;
DROP INDEX replaysByAge;
CREATE INDEX idempotencyRecordsByAge ON idempotencyRecords (createdAt);
`;
