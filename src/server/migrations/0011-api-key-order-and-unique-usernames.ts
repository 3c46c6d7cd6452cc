/**
 * Adds a column with the order in which API keys were created, and a unique index of the account names in lower case,
 * by which accounts are found. PostgreSQL has the same column and index since its first migration.
 */
export const sql = `
ALTER TABLE keys ADD COLUMN seq INTEGER;
UPDATE keys SET seq = rowid;
CREATE TRIGGER keysInOrder AFTER INSERT ON keys BEGIN
  UPDATE keys SET seq = NEW.rowid WHERE rowid = NEW.rowid;
END;

CREATE UNIQUE INDEX accountsByName ON accounts (lower(username));
`;
