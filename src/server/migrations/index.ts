/** The migrations of SQLite in order; `user_version` counts those that have run. Only append. */
import { sql as accounts } from './0001-accounts.ts';
import { sql as uploads } from './0002-uploads.ts';
import { sql as content } from './0003-content-favorites-and-grants.ts';
import { sql as replays } from './0004-idempotency-keys.ts';
import { sql as albums } from './0005-albums-views-and-previews.ts';
import { sql as access } from './0006-sessions-devices-trial-and-request-log.ts';
import { sql as idempotencyRecords } from './0007-rename-idempotency-table.ts';
import { sql as sessionList } from './0008-session-details-and-storage-index.ts';
import { sql as objects } from './0009-objects.ts';
import { sql as uploadLeases } from './0010-upload-leases.ts';
import { sql as namesAndOrder } from './0011-api-key-order-and-unique-usernames.ts';
import { sql as mediaJobClaims } from './0012-media-job-claims.ts';
import { sql as chapters } from './0013-chapters.ts';
import { sql as objectsByKey } from './0014-object-key-index.ts';
import { sql as storeId } from './0015-store-id.ts';

export const MIGRATIONS: readonly string[] = [
  accounts,
  uploads,
  content,
  replays,
  albums,
  access,
  idempotencyRecords,
  sessionList,
  objects,
  uploadLeases,
  namesAndOrder,
  mediaJobClaims,
  chapters,
  objectsByKey,
  storeId,
];
