/**
 * Adds what the account's pages show of a session: browser, address and last use, which are null in older sessions.
 * Also adds an index for summing the storage of an account by kind without reading its items.
 */
export const sql = `
ALTER TABLE sessions ADD COLUMN browser TEXT;
ALTER TABLE sessions ADD COLUMN ip TEXT;
ALTER TABLE sessions ADD COLUMN usedAt INTEGER;

CREATE INDEX contentByKind ON content (accountId, type, size) WHERE objectId IS NOT NULL;
`;
