/** Accounts and API keys. Times are milliseconds since 1970-01-01 UTC. */
export const sql = `
CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  username TEXT NOT NULL COLLATE NOCASE UNIQUE,
  name TEXT NOT NULL,
  palette TEXT NOT NULL DEFAULT 'linkshot',
  bio TEXT NOT NULL DEFAULT '',
  copyLink INTEGER NOT NULL DEFAULT 1 CHECK (copyLink IN (0, 1)),
  privateByDefault INTEGER NOT NULL DEFAULT 0 CHECK (privateByDefault IN (0, 1)),
  unlistedPreviews INTEGER NOT NULL DEFAULT 1 CHECK (unlistedPreviews IN (0, 1)),
  previewAuthor INTEGER NOT NULL DEFAULT 1 CHECK (previewAuthor IN (0, 1)),
  captureHotkey TEXT NOT NULL DEFAULT 'CommandOrControl+Shift+L',
  avatarUrl TEXT,
  avatarRevision INTEGER NOT NULL DEFAULT 0,
  storageUsed INTEGER NOT NULL DEFAULT 0 CHECK (storageUsed >= 0),
  plan TEXT NOT NULL CHECK (plan IN ('free', 'pro')),
  planUntil INTEGER,
  passwordHash TEXT,
  bannedAt INTEGER,
  createdAt INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  accountId TEXT NOT NULL REFERENCES accounts (id),
  hash BLOB NOT NULL UNIQUE,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  expiresAt INTEGER,
  revokedAt INTEGER,
  client TEXT,
  deviceName TEXT,
  createdAt INTEGER NOT NULL
) STRICT;
CREATE INDEX keysByAccount ON keys (accountId);
`;
