/** The migrations of PostgreSQL in order; "schemaVersion" counts those that have run. Only append. */
import { sql as tables } from './0001-tables.ts';
import { sql as objectsAndLeases } from './0002-objects-and-leases.ts';
import { sql as mediaJobClaims } from './0003-media-job-claims.ts';
import { sql as nodesAndLimits } from './0004-nodes-and-limits.ts';
import { sql as chapters } from './0005-chapters.ts';
import { sql as objectsByKey } from './0006-object-key-index-and-node-folder.ts';
import { sql as storeId } from './0007-store-id.ts';
import { sql as usernamesInAnyLocale } from './0008-usernames-in-any-locale.ts';

export const POSTGRES_MIGRATIONS: readonly string[] = [
  tables,
  objectsAndLeases,
  mediaJobClaims,
  nodesAndLimits,
  chapters,
  objectsByKey,
  storeId,
  usernamesInAnyLocale,
];
