/**
 * Adds to API keys the order in which they were created, as a column, and makes account names unique regardless of
 * case, both in a form that PostgreSQL supports, too.
 */
export const sql = `
ALTER TABLE keys ADD COLUMN seq INTEGER;
UPDATE keys SET seq = rowid;
CREATE TRIGGER keysInOrder AFTER INSERT ON keys BEGIN
  UPDATE keys SET seq = NEW.rowid WHERE rowid = NEW.rowid;
END;

CREATE UNIQUE INDEX accountsByName ON accounts (lower(username));
`;
