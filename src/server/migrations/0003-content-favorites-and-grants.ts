/**
 * Adds the tables of shared items, favorites, the access that browsers have gained by opening items (grants), and counts
 * of wrong passwords. An expired item keeps its row without an object, so that its owner gets 410; a deleted item has
 * no row.
 *
 * - `seq`: the publishing order, which lists and cursors follow
 * - `tags`: a JSON array
 * - `searchText`: title, tags and file name in NFKC and lower case
 *
 * Times are milliseconds since 1970-01-01 UTC, booleans 0 or 1.
 */
export const sql = `
CREATE TABLE content (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  accountId TEXT NOT NULL REFERENCES accounts (id),
  objectId TEXT UNIQUE,
  type TEXT NOT NULL CHECK (type IN ('IMAGE', 'VIDEO', 'PASTE', 'FOLDER')),
  mime TEXT NOT NULL,
  size INTEGER NOT NULL CHECK (size >= 0),
  originalName TEXT NOT NULL,
  title TEXT NOT NULL,
  tags TEXT NOT NULL DEFAULT '[]',
  searchText TEXT NOT NULL,
  pasteFormat TEXT,
  pasteLanguage TEXT,
  folderFiles INTEGER,
  revision INTEGER NOT NULL DEFAULT 1,
  accessVersion INTEGER NOT NULL DEFAULT 1,
  visibility TEXT NOT NULL CHECK (visibility IN ('private', 'unlisted', 'public')),
  allowDownload INTEGER NOT NULL DEFAULT 1 CHECK (allowDownload IN (0, 1)),
  passwordHash TEXT,
  oneTime INTEGER NOT NULL DEFAULT 0 CHECK (oneTime IN (0, 1)),
  consumedAt INTEGER,
  readExpiresAt INTEGER,
  views INTEGER NOT NULL DEFAULT 0,
  viewLimit INTEGER,
  viewLimitReachedAt INTEGER,
  mediaStatus TEXT NOT NULL CHECK (mediaStatus IN ('PROCESSING', 'READY', 'FAILED')),
  mediaError TEXT,
  width INTEGER,
  height INTEGER,
  durationMs INTEGER,
  videoCodec TEXT,
  hasAudio INTEGER NOT NULL DEFAULT 0 CHECK (hasAudio IN (0, 1)),
  expiresAt INTEGER,
  moderationHold TEXT CHECK (moderationHold IN ('review', 'blocked')),
  createdAt INTEGER NOT NULL,
  CHECK (NOT (oneTime = 1 AND visibility = 'public'))
) STRICT;
CREATE INDEX contentByAccount ON content (accountId, seq);
CREATE INDEX contentExpiring ON content (expiresAt) WHERE expiresAt IS NOT NULL AND objectId IS NOT NULL;
CREATE INDEX contentProcessing ON content (seq) WHERE mediaStatus = 'PROCESSING';

CREATE TABLE favorites (
  accountId TEXT NOT NULL REFERENCES accounts (id),
  contentId TEXT NOT NULL REFERENCES content (id) ON DELETE CASCADE,
  createdAt INTEGER NOT NULL,
  PRIMARY KEY (accountId, contentId)
) STRICT, WITHOUT ROWID;

-- What a browser has opened: the SHA-256 of its viewer cookie, valid while the item's accessVersion stays.
CREATE TABLE grants (
  viewer BLOB NOT NULL,
  contentId TEXT NOT NULL REFERENCES content (id) ON DELETE CASCADE,
  accessVersion INTEGER NOT NULL,
  expiresAt INTEGER NOT NULL,
  PRIMARY KEY (viewer, contentId)
) STRICT, WITHOUT ROWID;
CREATE INDEX grantsByContent ON grants (contentId);
CREATE INDEX grantsExpiring ON grants (expiresAt);

-- Wrong passwords of one address for one item in the window that began at startedAt.
CREATE TABLE wrongPasswords (
  contentId TEXT NOT NULL REFERENCES content (id) ON DELETE CASCADE,
  ip TEXT NOT NULL,
  startedAt INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (contentId, ip)
) STRICT, WITHOUT ROWID;
CREATE INDEX wrongPasswordsEnding ON wrongPasswords (startedAt);
`;
