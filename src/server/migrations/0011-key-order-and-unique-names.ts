/**
 * What both engines can ask for in one text: the order in which keys were made as a column, and names without regard to
 * case as an expression.
 */
export const sql = `
ALTER TABLE keys ADD COLUMN seq INTEGER;
UPDATE keys SET seq = rowid;
CREATE TRIGGER keysInOrder AFTER INSERT ON keys BEGIN
  UPDATE keys SET seq = NEW.rowid WHERE rowid = NEW.rowid;
END;

CREATE UNIQUE INDEX accountsByName ON accounts (lower(username));
`;
