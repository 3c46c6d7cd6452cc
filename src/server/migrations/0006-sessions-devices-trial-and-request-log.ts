/**
 * Sessions of the account's pages, wrong sign-ins, the trial, the request log and the device connection. Tokens and
 * codes are stored as their SHA-256, except the code that a user types: it is short-lived and useless without a
 * sign-in.
 */
export const sql = `
ALTER TABLE accounts ADD COLUMN trialStartsAt INTEGER;
ALTER TABLE accounts ADD COLUMN trialEndsAt INTEGER;

-- Keys of a connection have a deviceId; firstUsedAt says that older keys of the device have ended.
ALTER TABLE keys ADD COLUMN deviceId TEXT;
ALTER TABLE keys ADD COLUMN firstUsedAt INTEGER;
ALTER TABLE keys ADD COLUMN accessChangedAt INTEGER;

CREATE TABLE sessions (
  hash BLOB PRIMARY KEY,
  accountId TEXT NOT NULL REFERENCES accounts (id),
  wrongCodes INTEGER NOT NULL DEFAULT 0,
  createdAt INTEGER NOT NULL,
  expiresAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessionsByAccount ON sessions (accountId);
CREATE INDEX sessionsExpiring ON sessions (expiresAt);

-- Wrong sign-ins in the window that began at startedAt; an empty username counts all of one address.
CREATE TABLE wrongSignIns (
  username TEXT NOT NULL COLLATE NOCASE,
  ip TEXT NOT NULL,
  startedAt INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (username, ip)
) STRICT, WITHOUT ROWID;
CREATE INDEX wrongSignInsEnding ON wrongSignIns (startedAt);

CREATE TABLE trialNetworks (
  network TEXT PRIMARY KEY,
  takenAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE requestLog (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  accountId TEXT NOT NULL REFERENCES accounts (id),
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  keyName TEXT NOT NULL,
  time INTEGER NOT NULL
) STRICT;
CREATE INDEX requestLogByAccount ON requestLog (accountId, id);
CREATE INDEX requestLogByTime ON requestLog (time);

CREATE TABLE connectCodes (
  hash BLOB PRIMARY KEY,
  accountId TEXT NOT NULL REFERENCES accounts (id),
  challenge TEXT NOT NULL,
  redirectUri TEXT NOT NULL,
  deviceName TEXT NOT NULL,
  deviceId TEXT NOT NULL,
  client TEXT,
  expiresAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE deviceRequests (
  hash BLOB PRIMARY KEY,
  userCode TEXT NOT NULL UNIQUE,
  deviceName TEXT NOT NULL,
  deviceId TEXT NOT NULL,
  client TEXT,
  ip TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied')),
  accountId TEXT REFERENCES accounts (id),
  intervalMs INTEGER NOT NULL,
  polledAt INTEGER,
  expiresAt INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
