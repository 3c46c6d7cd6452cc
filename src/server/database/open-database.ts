/** Opens the server's database, PostgreSQL or SQLite, and runs its migrations. */
import type { ServerConfig } from '../config/config.ts';
import { type DataFolder, makePrivateFile } from '../data-folder.ts';
import type { ObserveDatabase, ServerDatabase } from './database-interface.ts';
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
