/** SQL migrations of the profile's database, in order. A published migration is never edited; a new one is added. */

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

/** Adds jobs and prepared bodies to queue items. */
const jobs = `
  UPDATE queue SET item = json_set(item, '$.job', json('{"kind":"file","fit":null}'), '$.body', NULL)
  WHERE json_valid(item);
`;

/** Adds link settings for after the publication; the library records accounts and note texts. */
const library = `
  UPDATE queue SET item = json_set(item, '$.afterwards', NULL) WHERE json_valid(item);

  ALTER TABLE library ADD COLUMN account_id TEXT;
  -- When it was seen that the service has it no more, and when it is to be deleted. Milliseconds since 1970.
  ALTER TABLE library ADD COLUMN gone_at INTEGER;
  ALTER TABLE library ADD COLUMN deleting_at INTEGER;
  ALTER TABLE library ADD COLUMN content_id TEXT GENERATED ALWAYS AS (json_extract(content, '$.id')) VIRTUAL;
  ALTER TABLE library ADD COLUMN kind TEXT GENERATED ALWAYS AS (json_extract(content, '$.type')) VIRTUAL;
  CREATE INDEX library_content ON library (content_id);
  CREATE INDEX library_linked ON library (linked_at, seq);
  CREATE INDEX library_deleting ON library (deleting_at) WHERE deleting_at IS NOT NULL;

  -- The text of a note as the service had it last.
  CREATE TABLE note_text (
    item_id  TEXT PRIMARY KEY REFERENCES library (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    text     TEXT NOT NULL
  ) STRICT;

  -- What was typed and the service does not have yet.
  CREATE TABLE draft (
    item_id  TEXT PRIMARY KEY REFERENCES library (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    text     TEXT NOT NULL,
    format   TEXT NOT NULL,
    language TEXT,
    -- What the edit began with, where it is known.
    base     TEXT
  ) STRICT;

  CREATE VIRTUAL TABLE library_index USING fts5 (
    title, tags, name, text, content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
  );
  INSERT INTO library_index (rowid, title, tags, name, text) SELECT rowid, title, tags, name, '' FROM library_words;
  DROP TABLE library_words;
`;

/** Adds the timeline of an item, which lives as long as its row in the queue or the library. */
const timeline = `
  CREATE TABLE timeline (
    item_id TEXT PRIMARY KEY,
    -- Oldest first; see ipc/protocol/timeline.ts.
    events  TEXT NOT NULL
  ) STRICT;

  CREATE TRIGGER timeline_left_queue AFTER DELETE ON queue
  WHEN NOT EXISTS (SELECT 1 FROM library WHERE id = OLD.id)
  BEGIN DELETE FROM timeline WHERE item_id = OLD.id; END;

  CREATE TRIGGER timeline_left_library AFTER DELETE ON library
  WHEN NOT EXISTS (SELECT 1 FROM queue WHERE id = OLD.id)
  BEGIN DELETE FROM timeline WHERE item_id = OLD.id; END;
`;

/** Adds the title of a draft; without one the note keeps its title. */
const draftTitle = `
  ALTER TABLE draft ADD COLUMN title TEXT;
`;

/**
 * Renames to the terms that the code uses: in queue items `trouble` to `error`, `afterwards` to `postPublish`,
 * `awaited` to `printPending` and the owner `person` of a source to `user`; in timelines `fact` to `data` and its kinds
 * `told` and `anew` to `delivered` and `restarted`; in pending captures `fate` to `status`; and tables and names of
 * values.
 */
const renames = `
  UPDATE queue SET item = json_remove(json_set(item, '$.error', json(item -> '$.trouble')), '$.trouble')
  WHERE json_valid(item) AND json_type(item, '$.trouble') IS NOT NULL;
  UPDATE queue SET item = json_remove(json_set(item, '$.postPublish', json(item -> '$.afterwards')), '$.afterwards')
  WHERE json_valid(item) AND json_type(item, '$.afterwards') IS NOT NULL;
  UPDATE queue SET item = json_remove(json_set(item, '$.printPending', json(item -> '$.awaited')), '$.awaited')
  WHERE json_valid(item) AND json_type(item, '$.awaited') IS NOT NULL;
  UPDATE queue SET item = json_set(item, '$.source.owner', 'user')
  WHERE json_valid(item) AND item ->> '$.source.owner' = 'person';

  UPDATE timeline SET events = (
    SELECT json_group_array(json_object('at', value -> '$.at', 'data', json(
      CASE value ->> '$.fact.kind'
        WHEN 'told' THEN json_set(value -> '$.fact', '$.kind', 'delivered')
        WHEN 'anew' THEN json_set(value -> '$.fact', '$.kind', 'restarted')
        ELSE value -> '$.fact'
      END
    )))
    FROM (SELECT value FROM json_each(timeline.events) ORDER BY key)
  )
  WHERE json_valid(events) AND json_type(events) = 'array'
    AND NOT EXISTS (SELECT 1 FROM json_each(events) WHERE type <> 'object');

  ALTER TABLE facts RENAME TO persisted_values;
  UPDATE persisted_values SET name = 'missingThumbnails' WHERE name = 'undrawn';
  UPDATE persisted_values SET name = replace(name, 'unpublished_note', 'newNoteDraft')
  WHERE name GLOB 'unpublished_note*';
  UPDATE persisted_values SET value = (
    SELECT json_group_array(json(json_remove(json_set(value, '$.status', json(value -> '$.fate')), '$.fate')))
    FROM (SELECT value FROM json_each(persisted_values.value) ORDER BY key)
  )
  WHERE name = 'captures' AND json_valid(value) AND json_type(value) = 'array'
    AND NOT EXISTS (SELECT 1 FROM json_each(persisted_values.value) WHERE type <> 'object');

  ALTER TABLE abandoned RENAME TO orphaned_uploads;
  ALTER TABLE orphaned_uploads RENAME COLUMN abandoned_at TO orphaned_at;
`;

/** Adds the words in published pictures, and which pictures are still to be read for them. */
const pictureWords = `
  CREATE TABLE picture_words (
    item_id  TEXT PRIMARY KEY REFERENCES library (id) ON DELETE CASCADE,
    state    TEXT NOT NULL CHECK (state IN ('pending', 'read', 'failed')),
    -- Of the file to read, while the state is pending: its path, and its size and time of change.
    path     TEXT,
    identity TEXT,
    attempts INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE VIRTUAL TABLE picture_index USING fts5 (
    words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
  );

  CREATE TRIGGER picture_left_library AFTER DELETE ON library
  BEGIN DELETE FROM picture_index WHERE rowid = OLD.seq; END;
`;

/** Tells rows that a sync has added from those of items that this profile has published. */
const imported = `
  ALTER TABLE library ADD COLUMN is_imported INTEGER NOT NULL DEFAULT 0 CHECK (is_imported IN (0, 1));
`;

export const MIGRATIONS: readonly string[] = [
  ...[first, jobs, library, timeline, draftTitle, renames, pictureWords, imported],
];
