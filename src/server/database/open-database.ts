/**
 * Opens and migrates the database of the server: PostgreSQL if `database.url` is configured, otherwise the SQLite
 * file in the data folder. Also stops the start if the data folder has files but the database has no accounts,
 * because these files would be deleted as abandoned.
 */
import type { ServerConfig } from '../config/config.ts';
import { type DataFolder, makePrivateFile } from '../data-folder.ts';
import type { ObserveDatabase, ServerDatabase } from './database-interface.ts';
import { sql } from './sql-template.ts';
import { openSqlite } from './sqlite.ts';

/**
 * Opens PostgreSQL with `database.url`, else the SQLite file of the data folder, and migrates it. Rejects with a
 * sentence for the operator. The driver of PostgreSQL is loaded only for it.
 */
export const openDatabase = async (
  { database: { url, poolSize, prepared } }: Pick<ServerConfig, 'database'>,
  folder: Pick<DataFolder, 'database'>,
  observe?: ObserveDatabase,
): Promise<ServerDatabase> => {
  if (url === null) {
    makePrivateFile(folder.database);
    return openSqlite(folder.database);
  }
  const { openPostgres } = await import('./postgres.ts');
  return await openPostgres({ url, poolSize, prepared }, observe);
};

/**
 * Throws with a sentence for the operator when the data folder has files and the records are those of no account: the
 * files would count as abandoned, and be deleted.
 */
export const refuseForeignFiles = async (records: ServerDatabase, hasFiles: boolean): Promise<void> => {
  if (!hasFiles || (await records.get(sql`SELECT "id" FROM "accounts" LIMIT 1`)) !== undefined) return;
  throw new Error(
    'The records of the files in this data folder are missing; configure database.url as before, restore the database from your backup, or start with an empty --data.',
  );
};
