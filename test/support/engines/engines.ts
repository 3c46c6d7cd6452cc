/**
 * The engines behind the servers of the tests: `LINKSHOT_TEST_ENGINES`, by default `sqlite,files`. Each data folder then
 * has a database of its own, copied from one with the schema, and a prefix of its own in the S3 store: the double in this
 * process, or a real one, whose settings `LINKSHOT_TEST_S3` has as JSON. A test that names an engine itself keeps it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock, systemRandom } from '../../../src/server/clock-and-random.ts';
import type { ServerDatabase } from '../../../src/server/database/database-interface.ts';
import { openSqlite } from '../../../src/server/database/sqlite.ts';
import { createS3Client, type S3Settings } from '../../../src/server/storage/s3-client.ts';
import { afterEveryFile } from '../ends.ts';
import { isStoreId, type S3Double, startS3Double } from '../server/s3-double.ts';

const RECORDS = ['sqlite', 'postgres', 'pgbouncer'] as const;
const OBJECTS = ['files', 's3'] as const;

interface Engines {
  /** `pgbouncer`: PostgreSQL behind it, in transaction mode. */
  readonly records: (typeof RECORDS)[number];
  readonly objects: (typeof OBJECTS)[number];
}

const readEngines = (text: string): Engines => {
  const names = text.split(',');
  const records = RECORDS.find((name) => name === names[0]);
  const objects = OBJECTS.find((name) => name === names[1]);
  if (records === undefined || objects === undefined || names.length !== 2) {
    throw new Error(
      `LINKSHOT_TEST_ENGINES is one of ${RECORDS.join(', ')}, a comma, and one of ${OBJECTS.join(', ')}.`,
    );
  }
  return { records, objects };
};

export const ENGINES = readEngines(process.env['LINKSHOT_TEST_ENGINES'] ?? 'sqlite,files');

const REAL_S3 = process.env['LINKSHOT_TEST_S3'];
export const IS_REAL_S3 = REAL_S3 !== undefined;

/** Of a data folder: the name of its database, and its prefix in the S3 store. */
const nameOf = (data: string): string =>
  `data_${createHash('sha256').update(resolve(data)).digest('hex').slice(0, 24)}`;

/** Loaded where they are needed: most runs need none of them. */
const engines = {
  databases: () => import('./databases.ts'),
  listS3: () => import('./list-s3.ts'),
};

let double: Promise<S3Double> | null = null;
/** The addresses of the databases of this test file, by their names. */
const databases = new Map<string, string>();
afterEveryFile(async () => {
  const ending = double;
  double = null;
  await (await ending)?.close();
  for (const name of [...databases.keys()]) await forgetDatabase(name);
});

const forgetDatabase = async (name: string): Promise<void> => {
  const url = databases.get(name);
  if (url === undefined) return;
  databases.delete(name);
  const { forgetRunDatabase } = await engines.databases();
  await forgetRunDatabase(name, url);
};

/** The address of the PostgreSQL database of a data folder. */
export const databaseUrlOf = async (data: string): Promise<string> => {
  const name = nameOf(data);
  const known = databases.get(name);
  if (known !== undefined) return known;
  const { runPostgresUrl } = await engines.databases();
  const url = await runPostgresUrl(name, ENGINES.records === 'pgbouncer' ? 'pgbouncer' : 'postgres');
  databases.set(name, url);
  return url;
};

/** Runs a statement at the database of a data folder. */
export const queryDatabaseOf = async <Row extends object>(
  data: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> => {
  const { queryRunDatabase } = await engines.databases();
  return await queryRunDatabase<Row>(await databaseUrlOf(data), text, values);
};

/** The settings of the S3 store of a data folder. */
export const s3SettingsOf = async (data: string): Promise<S3Settings> => {
  const settings = REAL_S3 === undefined ? (await s3Double()).settings : (JSON.parse(REAL_S3) as S3Settings);
  return { ...settings, prefix: [settings.prefix, nameOf(data)].filter((part) => part !== '').join('/') };
};

/** The store of all servers of this test file. A real store can neither fail nor wait on request. */
export const s3Double = async (): Promise<S3Double> => {
  if (REAL_S3 !== undefined)
    throw new Error('This test needs the double of an S3 store; run it without LINKSHOT_TEST_S3.');
  double ??= startS3Double();
  return await double;
};

/** The keys of all objects of a data folder in the S3 store, below its prefix, without the id of the store. */
export const s3KeysOf = async (data: string): Promise<readonly string[]> => {
  const settings = await s3SettingsOf(data);
  if (REAL_S3 !== undefined || double === null)
    return (await (await engines.listS3()).listS3(settings)).filter((key) => !isStoreId(key));
  const prefix = `${settings.prefix}/`;
  const keys = (await double).objectKeys().filter((key) => key.startsWith(prefix));
  return keys.map((key) => key.slice(prefix.length));
};

/** The bytes of a key of a data folder in the S3 store. */
export const readS3 = async (data: string, key: string): Promise<Buffer> => {
  const client = createS3Client({ settings: await s3SettingsOf(data), clock: systemClock, random: systemRandom });
  try {
    const { body } = await client.send({ operation: 'get', method: 'GET', key });
    return Buffer.from(await body.arrayBuffer());
  } finally {
    await client.close();
  }
};

/** What a folder has outside of itself is of no use without it. */
export const forgetEngines = async (data: string): Promise<void> => {
  const name = nameOf(data);
  await forgetDatabase(name);
  if (double === null) return;
  const { objects } = await double;
  for (const key of objects.keys()) if (key.includes(`/${name}/`)) objects.delete(key);
};

type Json = Readonly<Record<string, unknown>>;

/** The configuration of a server on `data`, with the engines of this run where it names none. */
export const withEngines = async (data: string, config: Json): Promise<Json> => {
  const { database, objects } = config as { database?: Json; objects?: Json };
  const isOnPostgres = ENGINES.records !== 'sqlite' && database?.['url'] === undefined;
  const isOnS3 = ENGINES.objects === 's3' && objects?.['s3'] === undefined;
  return {
    ...config,
    ...(isOnPostgres && {
      database: { ...database, url: await databaseUrlOf(data), prepared: ENGINES.records === 'postgres' },
    }),
    ...(isOnS3 && { objects: { ...objects, s3: await s3SettingsOf(data) } }),
  };
};

/** Environment variables for a command line of the server: those that put what its `--data` names on the engines. */
export const engineVariables = async (words: readonly string[]): Promise<Readonly<Record<string, string>>> => {
  const wordAfter = (flag: string): string | undefined =>
    words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined;
  const [data, file] = [wordAfter('--data'), wordAfter('--config')];
  if (data === undefined) return {};
  const config = file === undefined ? {} : (JSON.parse(readFileSync(file, 'utf8')) as Json);
  const { database, objects } = (await withEngines(data, {
    ...(config['database'] !== undefined && { database: config['database'] }),
    ...(config['objects'] !== undefined && { objects: config['objects'] }),
  })) as { database?: { url?: string; prepared?: boolean }; objects?: { s3?: S3Settings } };
  const s3 = ENGINES.objects === 's3' ? objects?.s3 : undefined;
  return {
    ...(ENGINES.records !== 'sqlite' &&
      database?.url !== undefined && {
        LINKSHOT_SERVER_DATABASE_URL: database.url,
        LINKSHOT_SERVER_DATABASE_PREPARED: String(database.prepared ?? true),
      }),
    ...(s3 != null && {
      LINKSHOT_SERVER_OBJECTS_S3_ENDPOINT: s3.endpoint,
      LINKSHOT_SERVER_OBJECTS_S3_REGION: s3.region,
      LINKSHOT_SERVER_OBJECTS_S3_BUCKET: s3.bucket,
      LINKSHOT_SERVER_OBJECTS_S3_PREFIX: s3.prefix,
      LINKSHOT_SERVER_OBJECTS_S3_PATH_STYLE: String(s3.pathStyle),
      LINKSHOT_SERVER_OBJECTS_S3_ACCESS_KEY_ID: s3.accessKeyId,
      LINKSHOT_SERVER_OBJECTS_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    }),
  };
};

/** A second process's view of the records of a data folder; close it. */
export const openRecordsOf = async (data: string): Promise<ServerDatabase> => {
  if (ENGINES.records === 'sqlite') return openSqlite(join(data, 'linkshot.sqlite'));
  const { openPostgres } = await import('../../../src/server/database/postgres.ts');
  return await openPostgres({ url: await databaseUrlOf(data), poolSize: 2, prepared: false });
};
