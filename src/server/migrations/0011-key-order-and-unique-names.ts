/**
 * Adds a column with the order in which API keys were created, and an index that makes account names unique regardless
 * of case. PostgreSQL can have the same column and index.
 */
export const sql = `
ALTER TABLE keys ADD COLUMN seq INTEGER;
UPDATE keys SET seq = rowid;
CREATE TRIGGER keysInOrder AFTER INSERT ON keys BEGIN
  UPDATE keys SET seq = NEW.rowid WHERE rowid = NEW.rowid;
END;

CREATE UNIQUE INDEX accountsByName ON accounts (lower(username));
`;
