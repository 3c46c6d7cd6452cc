/**
 * Adds the table `replays`, which maps the Idempotency-Key of a `POST /uploads`, `/folders` or `/pastes` request to
 * the item that the request has published. A row is written in the transaction that publishes the item, so both exist
 * or neither. `digest` is the digest of the request's bytes and fields.
 */
export const sql = `
CREATE TABLE replays (
  accountId TEXT NOT NULL REFERENCES accounts (id),
  route TEXT NOT NULL,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  contentId TEXT NOT NULL,
  createdAt INTEGER NOT NULL,
  PRIMARY KEY (accountId, route, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX replaysByAge ON replays (createdAt);
`;
