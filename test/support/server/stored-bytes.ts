/** Reads and changes what a server has stored, in the engines of this run (`engines.ts`). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { systemClock, systemRandom } from '../../../src/server/clock-and-random.ts';
import { createKeyRing } from '../../../src/server/storage/key-ring.ts';
import { openMasterKeys } from '../../../src/server/storage/load-master-keys.ts';
import { createLocalObjects } from '../../../src/server/storage/local-objects.ts';
import { createObjectRows, type ObjectRows } from '../../../src/server/storage/object-rows.ts';
import type { ObjectId } from '../../../src/server/storage/object-store-interface.ts';
import { createS3Store } from '../../../src/server/storage/open-object-store.ts';
import { ENGINES, openRecordsOf, queryDatabaseOf, s3KeysOf, s3SettingsOf } from '../engines/engines.ts';

/** PostgreSQL folds names in camel case without quotes, and numbers the values. Quoted texts stay. */
const forPostgres = (text: string): string => {
  let values = 0;
  return text
    .split(/('[^']*'|"[^"]*")/)
    .map((piece, at) =>
      at % 2 === 1
        ? piece
        : piece.replaceAll(/\b[a-z]+[A-Z]\w*\b/g, '"$&"').replaceAll('?', () => {
            values += 1;
            return `$${values}`;
          }),
    )
    .join('');
};

/** Queries the records of a data folder, also while a server runs on it. */
export const queryData = async <T extends object>(
  data: string,
  sql: string,
  ...values: readonly unknown[]
): Promise<readonly T[]> => {
  if (ENGINES.records !== 'sqlite') return await queryDatabaseOf<T>(data, forPostgres(sql), values);
  const database = new Database(join(data, 'linkshot.sqlite'), { readonly: true });
  try {
    return database.prepare<unknown[], T>(sql).all(...values);
  } finally {
    database.close();
  }
};

/** Whether the records have this text anywhere, also as bytes. */
export const recordsHave = async (data: string, text: string): Promise<boolean> => {
  if (ENGINES.records === 'sqlite')
    return ['linkshot.sqlite', 'linkshot.sqlite-wal'].some((name) => readFileSync(join(data, name)).includes(text));
  const tables = await queryDatabaseOf<{ name: string }>(
    data,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  if (tables.length < 20) throw new Error(`Only ${tables.length} tables were found.`);
  const patterns = [text, Buffer.from(text).toString('hex')].map((one) => `%${one.replaceAll(/[\\%_]/g, '\\$&')}%`);
  for (const { name } of tables) {
    const sql = `SELECT 1 FROM "${name}" AS "row" WHERE "row"::text LIKE ANY ($1)`;
    if ((await queryDatabaseOf(data, sql, [patterns])).length > 0) return true;
  }
  return false;
};

/** Changes the records of a data folder: states that only an operator or time can cause. */
export const changeData = async (data: string, sql: string, ...values: readonly unknown[]): Promise<void> => {
  if (ENGINES.records !== 'sqlite') {
    await queryDatabaseOf(data, forPostgres(sql), values);
    return;
  }
  const database = new Database(join(data, 'linkshot.sqlite'));
  try {
    database.prepare(sql).run(...values);
  } finally {
    database.close();
  }
};

/** The store of a data folder whose key is beside it. */
export const openStore = async (data: string, rows: ObjectRows) => {
  const root = join(data, 'objects');
  const masters = openMasterKeys({ data, objects: root, keyFile: null, keyText: null, log: () => {} });
  const ring = createKeyRing(masters, systemRandom);
  if (ENGINES.objects === 'files')
    return { objects: await createLocalObjects({ root, ring, rows }), close: async () => {} };
  const deps = { ring, rows, node: 'test', clock: systemClock, random: systemRandom, scratch: join(data, 'scratch') };
  return createS3Store(await s3SettingsOf(data), deps);
};

/** All bytes of a permanent object of a data folder whose key is beside it. */
export const readObject = async (data: string, objectId: string): Promise<Buffer> => {
  const range = { start: 0, end: Number.MAX_SAFE_INTEGER };
  const records = await openRecordsOf(data);
  try {
    const rows = createObjectRows({ records, clock: systemClock, node: 'test', durable: false });
    const { objects, close } = await openStore(data, rows);
    try {
      return await buffer(objects.read(objectId as ObjectId, range, new AbortController().signal));
    } finally {
      await close();
    }
  } finally {
    await records.close();
  }
};

/** The decrypted bytes of a completed upload. */
export const storedBytes = async (data: string, uploadId: string): Promise<Buffer> => {
  const [row] = await queryData<{ objectId: string }>(data, 'SELECT objectId FROM uploads WHERE id = ?', uploadId);
  if (row === undefined) throw new Error(`No upload ${uploadId}.`);
  return await readObject(data, row.objectId);
};

interface StoredObjects {
  readonly staged: readonly string[];
  readonly permanent: readonly string[];
}

/** The expected content of the idle store: the objects and previews of the items, and nothing staged. */
export const ownedObjects = async (data: string): Promise<StoredObjects> => {
  const sql = `SELECT objectId AS id FROM content UNION SELECT previewId FROM content WHERE previewId IS NOT NULL`;
  const rows = await queryData<{ id: string }>(data, sql);
  return { staged: [], permanent: rows.map(({ id }) => id).sort() };
};

/**
 * Ids of all objects in the folder, or in the S3 store: there the rows say which of them are permanent, a row also stands for
 * an object of which no byte has come yet, and an object without a row counts as staged.
 */
export const objectFiles = async (data: string): Promise<StoredObjects> => {
  if (ENGINES.objects === 's3') {
    const keys = await s3KeysOf(data);
    const rows = await queryData<{ id: string; state: string }>(data, 'SELECT id, state FROM objects');
    const permanent = rows.flatMap(({ id, state }) => (state === 'permanent' ? id : [])).sort();
    const known = [...keys.filter((key) => !key.startsWith('probe/')).map(objectOfKey), ...rows.map(({ id }) => id)];
    return { staged: [...new Set(known)].filter((id) => !permanent.includes(id)).sort(), permanent };
  }
  return {
    staged: readdirSync(join(data, 'objects/staged')).sort(),
    permanent: readdirSync(join(data, 'objects/permanent'))
      .flatMap((folder) => readdirSync(join(data, 'objects/permanent', folder)))
      .sort(),
  };
};

const objectOfKey = (key: string): string => key.slice(0, key.indexOf('/'));
