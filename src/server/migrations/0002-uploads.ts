/**
 * Adds the tables of resumable uploads and of the deletion queue. `received` is a bitmap with one bit per part, least
 * significant first. The hashes of the parts (32 bytes each) have a separate table, so that confirming a part never
 * rewrites them.
 */
export const sql = `
CREATE TABLE uploads (
  id TEXT PRIMARY KEY,
  accountId TEXT NOT NULL REFERENCES accounts (id),
  idempotencyKey TEXT NOT NULL,
  objectId TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('UPLOADING', 'COMPLETING', 'COMPLETED', 'CANCELLED', 'EXPIRED')),
  filename TEXT NOT NULL,
  size INTEGER NOT NULL,
  chunkCount INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  received BLOB NOT NULL,
  receivedBytes INTEGER NOT NULL DEFAULT 0,
  mediaKind TEXT,
  completeKey TEXT,
  completeDigest TEXT,
  contentId TEXT,
  createdAt INTEGER NOT NULL,
  expiresAt INTEGER NOT NULL,
  endedAt INTEGER,
  UNIQUE (accountId, idempotencyKey)
) STRICT;
CREATE INDEX uploadsPending ON uploads (accountId, createdAt) WHERE state IN ('UPLOADING', 'COMPLETING');
CREATE INDEX uploadsExpiring ON uploads (expiresAt) WHERE state = 'UPLOADING';
CREATE INDEX uploadsEnded ON uploads (endedAt) WHERE endedAt IS NOT NULL;

CREATE TABLE uploadHashes (
  uploadId TEXT PRIMARY KEY REFERENCES uploads (id) ON DELETE CASCADE,
  hashes BLOB NOT NULL
) STRICT;

CREATE TABLE deletions (
  objectId TEXT PRIMARY KEY,
  attempts INTEGER NOT NULL,
  dueAt INTEGER NOT NULL
) STRICT;
CREATE INDEX deletionsDue ON deletions (dueAt);
`;
