/** The profile's tables, step by step. A step that has been published is never edited; a new one is added. */

const first = `
  CREATE TABLE queue (
    id         TEXT PRIMARY KEY,
    -- Beside the item itself, so that a row whose item cannot be read is still shown in its place.
    name       TEXT NOT NULL,
    position   REAL NOT NULL,
    created_at INTEGER NOT NULL,
    item       TEXT NOT NULL
  ) STRICT;

  CREATE TABLE manifest (
    item_id  TEXT PRIMARY KEY REFERENCES queue (id) ON DELETE CASCADE,
    -- The file as it was when it was hashed: size, modification time in nanoseconds, device and inode.
    identity TEXT NOT NULL,
    -- 32 bytes a part, in order.
    hashes   BLOB NOT NULL
  ) STRICT;

  -- Items with a password. It lies in the key store; without it they are not published.
  CREATE TABLE guarded (item_id TEXT PRIMARY KEY) STRICT;

  -- Uploads that the server may still hold for an item that is gone; they are cancelled when it can be reached.
  CREATE TABLE abandoned (
    upload_id    TEXT PRIMARY KEY,
    account_id   TEXT NOT NULL,
    abandoned_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE library (
    seq       INTEGER PRIMARY KEY AUTOINCREMENT,
    id        TEXT NOT NULL UNIQUE,
    name      TEXT NOT NULL,
    linked_at INTEGER NOT NULL,
    content   TEXT NOT NULL
  ) STRICT;

  CREATE VIRTUAL TABLE library_words USING fts5 (title, tags, name, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');

  CREATE TABLE facts (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;
`;

/** Items know what is to become of them, and what was made for sending. */
const jobs = `
  UPDATE queue SET item = json_set(item, '$.job', json('{"kind":"file","fit":null}'), '$.body', NULL)
  WHERE json_valid(item);
`;

export const MIGRATIONS: readonly string[] = [first, jobs];
