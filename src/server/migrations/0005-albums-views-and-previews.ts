/**
 * Adds the tables of albums and of daily views (`day` is a UTC date, such as 2026-01-31), the preview columns of
 * items, and indexes for public items and favorites. `previewId` is the object of an item's preview; `previewWanted`
 * is 1 as long as the item waits for a preview.
 */
export const sql = `
ALTER TABLE content ADD COLUMN previewId TEXT;
ALTER TABLE content ADD COLUMN previewWanted INTEGER NOT NULL DEFAULT 0 CHECK (previewWanted IN (0, 1));
UPDATE content SET previewWanted = 1 WHERE type IN ('IMAGE', 'VIDEO') AND objectId IS NOT NULL;
CREATE UNIQUE INDEX contentByPreview ON content (previewId) WHERE previewId IS NOT NULL;
CREATE INDEX contentWantingPreview ON content (seq) WHERE previewWanted = 1;
CREATE INDEX contentPublic ON content (seq) WHERE visibility = 'public';

CREATE TABLE viewDays (
  contentId TEXT NOT NULL REFERENCES content (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  views INTEGER NOT NULL,
  PRIMARY KEY (contentId, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE albums (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  accountId TEXT NOT NULL REFERENCES accounts (id),
  title TEXT NOT NULL,
  visibility TEXT NOT NULL CHECK (visibility IN ('private', 'unlisted')),
  createdAt INTEGER NOT NULL
) STRICT;
CREATE INDEX albumsByAccount ON albums (accountId, seq);

-- seq is the order of adding, which an album's pages follow.
CREATE TABLE albumItems (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  albumId TEXT NOT NULL REFERENCES albums (id) ON DELETE CASCADE,
  contentId TEXT NOT NULL REFERENCES content (id) ON DELETE CASCADE,
  UNIQUE (albumId, contentId)
) STRICT;
CREATE INDEX albumItemsByContent ON albumItems (contentId);
CREATE INDEX favoritesByContent ON favorites (contentId);
`;
