/**
 * What the account page shows of a session, null in older ones: browser, address and last use. The index sums the
 * storage of an account by kind without reading its items.
 */
export const sql = `
ALTER TABLE sessions ADD COLUMN browser TEXT;
ALTER TABLE sessions ADD COLUMN ip TEXT;
ALTER TABLE sessions ADD COLUMN usedAt INTEGER;

CREATE INDEX contentByKind ON content (accountId, type, size) WHERE objectId IS NOT NULL;
`;
