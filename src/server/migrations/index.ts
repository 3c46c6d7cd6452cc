/** The database migrations in order; `user_version` counts those that have run. Only append. */
import { sql as accounts } from './0001-accounts.ts';
import { sql as uploads } from './0002-uploads.ts';
import { sql as content } from './0003-content.ts';
import { sql as replays } from './0004-replays.ts';
import { sql as lists } from './0005-lists.ts';
import { sql as access } from './0006-access.ts';
import { sql as idempotencyRecords } from './0007-idempotency-records.ts';
import { sql as sessionList } from './0008-session-list.ts';
import { sql as objects } from './0009-objects.ts';

export const MIGRATIONS: readonly string[] = [
  accounts,
  uploads,
  content,
  replays,
  lists,
  access,
  idempotencyRecords,
  sessionList,
  objects,
];
