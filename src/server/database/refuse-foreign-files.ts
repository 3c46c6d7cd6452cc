/**
 * Refuses to start the server when its data folder has files but its database has no account: the rows of these files
 * are in another database.
 */
import type { Sql } from './database-interface.ts';
import { sql } from './sql-template.ts';

/**
 * Throws with a sentence for the operator when the data folder has files and the records are those of no account: the
 * files would count as abandoned, and be deleted.
 */
export const refuseForeignFiles = async (records: Sql, hasFiles: () => boolean): Promise<void> => {
  // The folder is only searched where it matters.
  if ((await records.get(sql`SELECT "id" FROM "accounts" LIMIT 1`)) !== undefined || !hasFiles()) return;
  throw new Error(
    'The records of the files in this data folder are missing; configure database.url as before, restore the database from your backup, or start with an empty --data.',
  );
};
