/** Opens the server's database, PostgreSQL or SQLite, and runs its migrations. */
import type { ServerConfig } from '../config/config.ts';
import { type DataFolder, findDataFolder, makePrivateFile, prepareDataFolder } from '../data-folder.ts';
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

/**
 * As `openDatabase`, for what servers have stored. Throws with a sentence, and creates nothing, where the records would be
 * in `data` and it is not the folder of a server.
 */
export const openStoredRecords = async (
  config: Pick<ServerConfig, 'database'>,
  data: string,
): Promise<{ readonly folder: DataFolder; readonly records: ServerDatabase }> => {
  const folder = config.database.url === null ? findDataFolder(data, '--data') : prepareDataFolder(data);
  return { folder, records: await openDatabase(config, folder) };
};
