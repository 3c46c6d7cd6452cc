/** Looks behind the server's back: what its database and its folder really hold. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Asks the database of a data folder, also while a server runs on it. */
export const queryData = <T>(data: string, sql: string, ...values: readonly unknown[]): T[] => {
  const database = new Database(join(data, 'linkshot.sqlite'), { readonly: true });
  try {
    return database.prepare<unknown[], T>(sql).all(...values);
  } finally {
    database.close();
  }
};

const permanentPath = (data: string, objectId: string): string =>
  join(data, 'objects/permanent', objectId.slice(0, 2), objectId);

/** The stored bytes of a completed upload. */
export const storedBytes = async (data: string, uploadId: string): Promise<Buffer> => {
  const [row] = queryData<{ objectId: string }>(data, 'SELECT objectId FROM uploads WHERE id = ?', uploadId);
  if (row === undefined) throw new Error(`No upload ${uploadId}.`);
  return await readFile(permanentPath(data, row.objectId));
};

/** Ids of all objects in the folder. */
export const objectFiles = (data: string): { readonly staged: string[]; readonly permanent: string[] } => ({
  staged: readdirSync(join(data, 'objects/staged')),
  permanent: readdirSync(join(data, 'objects/permanent')).flatMap((folder) =>
    readdirSync(join(data, 'objects/permanent', folder)),
  ),
});
