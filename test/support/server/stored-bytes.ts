/** Reads the actual content of a server's database and folder. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { openMasterKeys } from '../../../src/server/storage/master-key.ts';
import type { ObjectId } from '../../../src/server/storage/object-store.ts';
import { openLocalObjects } from './local-objects.ts';

/** Queries the database of a data folder, also while a server runs on it. */
export const queryData = <T>(data: string, sql: string, ...values: readonly unknown[]): T[] => {
  const database = new Database(join(data, 'linkshot.sqlite'), { readonly: true });
  try {
    return database.prepare<unknown[], T>(sql).all(...values);
  } finally {
    database.close();
  }
};

/** All bytes of a permanent object of a data folder whose key is beside it. */
export const readObject = async (data: string, objectId: string): Promise<Buffer> => {
  const root = join(data, 'objects');
  const masters = openMasterKeys({ data, objects: root, keyFile: null, keyText: null, log: () => {} });
  const range = { start: 0, end: Number.MAX_SAFE_INTEGER };
  const database = new Database(join(data, 'linkshot.sqlite'));
  try {
    const objects = await openLocalObjects(root, { masters, database });
    return await buffer(objects.read(objectId as ObjectId, range, new AbortController().signal));
  } finally {
    database.close();
  }
};

/** The decrypted bytes of a completed upload. */
export const storedBytes = async (data: string, uploadId: string): Promise<Buffer> => {
  const [row] = queryData<{ objectId: string }>(data, 'SELECT objectId FROM uploads WHERE id = ?', uploadId);
  if (row === undefined) throw new Error(`No upload ${uploadId}.`);
  return await readObject(data, row.objectId);
};

/** The expected content of the idle folder: the objects and previews of the items, and nothing staged. */
export const ownedObjects = (data: string): ReturnType<typeof objectFiles> => {
  const sql = `SELECT objectId AS id FROM content UNION SELECT previewId FROM content WHERE previewId IS NOT NULL ORDER BY id`;
  return { staged: [], permanent: queryData<{ id: string }>(data, sql).map(({ id }) => id) };
};

/** Ids of all objects in the folder. */
export const objectFiles = (data: string): { readonly staged: string[]; readonly permanent: string[] } => ({
  staged: readdirSync(join(data, 'objects/staged')),
  permanent: readdirSync(join(data, 'objects/permanent'))
    .flatMap((folder) => readdirSync(join(data, 'objects/permanent', folder)))
    .sort(),
});
