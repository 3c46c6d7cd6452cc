/**
 * `server doctor`: checks what a server needs, such as the data folder, the database, the object store, the master key,
 * the servers beside it and ffmpeg, and reports for each check that it passes or how to fix it. It removes what it
 * writes (only SQLite's companion files `-shm` and `-wal` may stay), creates neither the folder nor the key, and also
 * works while a server runs.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { kindOfMime } from '../../api/detect-media-kind.ts';
import type { AccountId } from '../../api/ids.ts';
import { messageOf } from '../../base/common/error-text.ts';
import { freeBytes } from '../../base/node/free-bytes.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import { runProgram } from '../../base/node/run-program.ts';
import { systemClock, systemRandom } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import { databaseIn, findNodeId, lockIn, nodeIdIn, placeOfFolder } from '../data-folder.ts';
import { type Sql, UnusableDatabaseError } from '../database/database-interface.ts';
import { SCHEMA_VERSION, schemaVersionOf } from '../database/open-sqlite-file.ts';
import type { PostgresSettings } from '../database/postgres.ts';
import { refuseForeignFiles } from '../database/refuse-foreign-files.ts';
import { sql } from '../database/sql-template.ts';
import { IN_MEMORY, openSqlite, readSqlite } from '../database/sqlite.ts';
import { createAntivirus } from '../folders/antivirus.ts';
import { createInspector } from '../media/media-inspector.ts';
import { sourceOf } from '../storage/file-source.ts';
import { createKeyRing } from '../storage/key-ring.ts';
import { findMasterKeys, hasKeyCheck, openMasterKeys } from '../storage/load-master-keys.ts';
import { createLocalObjects, holdsObjects, objectFolders } from '../storage/local-objects.ts';
import { createObjectRows } from '../storage/object-rows.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import { createS3Store, probeS3, refuseOtherKind } from '../storage/open-object-store.ts';
import { createS3Client, type S3Settings } from '../storage/s3-client.ts';
import { probeS3Once } from '../storage/s3-probe.ts';
import { compareStore, folderPlace, s3Place } from '../storage/store-id.ts';
import { writeObject } from '../storage/write-and-discard-object.ts';
import { otherNodes, refuseBeside, runningNodes } from './node-registry.ts';

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** A sentence: what holds, or what to do. */
  readonly detail: string;
}

interface DoctorOptions {
  readonly data: string;
  readonly config: ServerConfig;
  readonly keyText: string | null;
}

const MIB = 1024 * 1024;
const KEY_BYTES = 32;
/** Less cannot even hold one part of each upload. */
const FREE_MIN_BYTES = 100 * MIB;
/** This process among the nodes. */
const NODE = 'doctor';
/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

/** All checks, in the order in which a start would fail. A check that depends on a failed one is left out. */
export const diagnose = async ({ data, config, keyText }: DoctorOptions): Promise<readonly Check[]> => {
  const folder = resolve(data);
  const checks = new Map<string, Check>();
  const check = async (name: string, run: () => string | Promise<string>): Promise<boolean> => {
    try {
      checks.set(name, { name, ok: true, detail: await run() });
      return true;
    } catch (error) {
      // Some of its faults show only when another check looks into the records.
      const failed = error instanceof UnusableDatabaseError ? 'database' : name;
      checks.set(failed, { name: failed, ok: false, detail: messageOf(error) });
      return false;
    }
  };

  const isFolderFine = await check('data folder', () => checkFolder(folder));
  if (isFolderFine) await check('free space', () => checkSpace(folder));
  const { url } = config.database;
  const file = databaseIn(folder);
  let isDatabaseFine = isFolderFine;
  if (url !== null) isDatabaseFine = await check('database', () => checkPostgres({ ...config.database, url }));
  else if (isFolderFine && existsSync(file)) isDatabaseFine = await check('database', () => checkDatabase(file));
  const look: Look = async (schema, use) => (isDatabaseFine ? await lookInto(config, file, schema, use) : null);
  const objects = join(folder, 'objects');
  const { s3 } = config.objects;
  const isStoreFine =
    (s3 === null && !(isFolderFine && isDatabaseFine)) ||
    (await check('object store', async () => await checkStore(config, objects, look)));
  const isKeyed = hasKeyCheck(objects);
  if (isKeyed || url !== null || s3 !== null) {
    const keyOptions = { data, keyFile: config.keyFile, keyText, log: () => {} };
    let masters: readonly KeyObject[] | null = null;
    const isKeyFine = await check('master key', async () => {
      if (isKeyed && url === null) {
        masters = openMasterKeys({ ...keyOptions, objects });
        return 'The key is the one that the data folder is encrypted with.';
      }
      masters = findMasterKeys(keyOptions);
      return await checkKeys(masters, look);
    });
    // Where a start would make a key, any other one shows the same.
    masters ??= [createSecretKey(randomBytes(KEY_BYTES))];
    const found = masters;
    if (isKeyFine && isDatabaseFine && url !== null)
      await check('other servers', async () => await checkServers(folder, found, s3 === null, look));
    if (isKeyFine && isStoreFine && (isKeyed || s3 !== null)) {
      await check('objects', async () => await checkObjects(objects, found, config));
    }
  }
  await check('ffmpeg', async () => await checkFfmpeg(config));
  const { clamdSocket } = config.antivirus;
  if (clamdSocket !== null) await check('antivirus', async () => await checkAntivirus(clamdSocket));
  return [...checks.values()];
};

/** The folder itself, or the next one above it that exists. */
const existingParent = (folder: string): string => (existsSync(folder) ? folder : existingParent(dirname(folder)));

const checkFolder = (folder: string): string => {
  const existing = existingParent(folder);
  if (!statSync(existing).isDirectory()) throw new Error(`${existing} is a file; choose a folder with --data.`);
  try {
    accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new Error(
      `${existing} cannot be written by this user; change its owner, or choose another folder with --data.`,
    );
  }
  return existing === folder
    ? `${folder} can be written.`
    : `${folder} does not exist yet; the first start creates it.`;
};

const checkSpace = async (folder: string): Promise<string> => {
  const free = await freeBytes(existingParent(folder));
  const text = `${Math.floor(free / MIB)} MiB are free.`;
  if (free < FREE_MIN_BYTES) throw new Error(`Only ${text.toLowerCase()} Delete something, or use a larger disk.`);
  return text;
};

const checkDatabase = (path: string): string => {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const version = schemaVersionOf(database);
    if (version > SCHEMA_VERSION) {
      throw new Error(
        `The data folder was written by a newer version (schema ${version}, known ${SCHEMA_VERSION}); use that version.`,
      );
    }
    const [fault] = database.pragma('quick_check(1)') as readonly { readonly quick_check: string }[];
    if (fault?.quick_check !== 'ok')
      throw new Error(`The database is damaged (${fault?.quick_check}); restore it from your backup.`);
    return version === SCHEMA_VERSION
      ? `The database is intact and has schema ${version}.`
      : `The database is intact; the next start upgrades it from schema ${version} to ${SCHEMA_VERSION}.`;
  } finally {
    database.close();
  }
};

/**
 * Reads the records as they are, if their schema has what `use` reads: PostgreSQL from `postgres` on, SQLite from `sqlite`.
 * Where there are none yet, `use` gets the empty ones of SQLite.
 */
type Look = <T>(
  since: { readonly postgres: number; readonly sqlite: number },
  use: (records: Sql) => Promise<T>,
) => Promise<T | null>;

const lookInto = async <T>(
  { database }: Pick<ServerConfig, 'database'>,
  file: string,
  since: { readonly postgres: number; readonly sqlite: number },
  use: (records: Sql) => Promise<T>,
): Promise<T | null> => {
  const { url } = database;
  if (url !== null) {
    const { inspectPostgres } = await import('../database/postgres.ts');
    return await inspectPostgres({ ...database, url }, async (records, { version }) => {
      if (version === 0) return await lookIntoEmpty(use);
      return version < since.postgres ? null : await use(records);
    });
  }
  if (!existsSync(file)) return await lookIntoEmpty(use);
  const records = readSqlite(file);
  try {
    const version = await records.get<{ user_version: number }>(sql`PRAGMA user_version`);
    return (version?.user_version ?? 0) < since.sqlite ? null : await use(records);
  } finally {
    records.close();
  }
};

const lookIntoEmpty = async <T>(use: (records: Sql) => Promise<T>): Promise<T> => {
  const records = openSqlite(IN_MEMORY);
  try {
    return await use(records);
  } finally {
    await records.close();
  }
};

/** The migrations that have made the tables. */
const OBJECTS_SINCE = { postgres: 2, sqlite: 9 };
const STORE_ID_SINCE = { postgres: 7, sqlite: 15 };
/** With the folder of each node. */
const NODES_SINCE = { postgres: 6, sqlite: 0 };

/** `masters` are the configured keys; null: there is none yet. */
const checkKeys = async (masters: readonly KeyObject[] | null, look: Look): Promise<string> => {
  const needed =
    (await look(OBJECTS_SINCE, (records) => records.all<{ keyId: string }>(sql`SELECT "keyId" FROM "masterKeys"`))) ??
    [];
  if (masters === null) {
    if (needed.length === 0) return 'There is no master key yet; the first start makes one.';
    throw new Error(
      'No master key is configured here, and stored files need one: give this server LINKSHOT_SERVER_KEY or the keyFile of the others.',
    );
  }
  const { ids } = createKeyRing(masters, systemRandom);
  const missing = needed.filter(({ keyId }) => !ids.includes(keyId));
  if (missing.length > 0) {
    throw new Error(
      `Stored files need the master key ${missing.map(({ keyId }) => keyId).join(', ')}, which is not configured here; give this server the keys of the others.`,
    );
  }
  return needed.length === 0
    ? 'The key can be used; nothing is encrypted with it yet.'
    : 'The key is the one that the stored files need.';
};

/** Where the objects are, and that they belong to the records. */
const checkStore = async (config: ServerConfig, objects: string, look: Look): Promise<string> => {
  await look(OBJECTS_SINCE, async (records) => {
    await refuseForeignFiles(records, () => holdsObjects(objects));
    await refuseOtherKind(records, config, objects);
  });
  const { s3 } = config.objects;
  if (s3 === null && config.database.url !== null)
    await look(STORE_ID_SINCE, (records) => compareStore({ records, place: folderPlace(objects) }));
  return s3 === null ? `Files are stored in ${objects}.` : await checkS3(s3, look);
};

/** Whether this server may run beside those that run on the records. */
const checkServers = async (
  folder: string,
  masters: readonly KeyObject[],
  hasLocalFiles: boolean,
  look: Look,
): Promise<string> => {
  const nodes =
    (await look(NODES_SINCE, async (records) =>
      records.dialect.name === 'postgres' ? await runningNodes(records) : [],
    )) ?? [];
  const id = findNodeId(nodeIdIn(folder));
  const lock = lockIn(folder);
  const others = id === null || !existsSync(lock) ? nodes : otherNodes(nodes, { id, place: placeOfFolder(lock) });
  refuseBeside(others, { hasLocalFiles, newestKey: createKeyRing(masters, systemRandom).newestId });
  return others.length === 0
    ? 'No other server runs on these records.'
    : `This server may run beside ${others.map(({ name }) => `"${name}"`).join(', ')}.`;
};

/** Writes, reads and removes an object that belongs to no key, and compares the id of the store with that of the records. */
const checkS3 = async (settings: S3Settings, look: Look): Promise<string> => {
  const client = createS3Client({ settings, clock: systemClock, random: systemRandom });
  try {
    await probeS3({ probe: () => probeS3Once(client, NODE, 'start') }, settings);
    const place = `${new URL(settings.endpoint).host} stores objects in the bucket ${settings.bucket}`;
    const tie = await look(STORE_ID_SINCE, (records) => compareStore({ records, place: s3Place(client, settings) }));
    return tie === 'same' ? `${place}: those of these records.` : `${place}.`;
  } finally {
    await client.close();
  }
};

const checkPostgres = async (settings: PostgresSettings): Promise<string> => {
  const { inspectPostgres } = await import('../database/postgres.ts');
  return await inspectPostgres(settings, async (records, { version, known }) => {
    const right = await records.get<{ may: 0 | 1 | null }>(
      sql`SELECT has_schema_privilege(current_schema(), 'CREATE') AS "may"`,
    );
    const mayCreate = right?.may === 1;
    if (version < known && !mayCreate) {
      throw new Error(
        'The user of database.url may not create tables, which the next start needs; GRANT it CREATE on the schema.',
      );
    }
    const { closedTables } = await import('../database/migrate-postgres.ts');
    const closed = await closedTables(records);
    if (closed.length > 0) {
      throw new Error(
        `The user of database.url may not read and write ${closed.join(', ')}; make it the owner of the tables, or GRANT it SELECT, INSERT, UPDATE and DELETE on them.`,
      );
    }
    if (version < known)
      return `PostgreSQL responds; the next start upgrades the database from schema ${version} to ${known}.`;
    const advice = mayCreate ? '' : ' Its user may not create tables, which an upgrade will need.';
    return `PostgreSQL responds, and the database has schema ${version}.${advice}`;
  });
};

/** Writes a picture, reads it back, inspects it in the process for untrusted files, and removes it. */
const checkObjects = async (
  root: string,
  masters: ReturnType<typeof openMasterKeys>,
  config: ServerConfig,
): Promise<string> => {
  const parts = new AsyncDisposableStack();
  try {
    return await checkObjectsWith(root, masters, config, parts);
  } finally {
    await parts.disposeAsync();
  }
};

/** A start makes those that are missing. */
const checkObjectFolders = (root: string): void => {
  for (const path of objectFolders(root)) {
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  }
};

const checkObjectsWith = async (
  root: string,
  masters: ReturnType<typeof openMasterKeys>,
  config: ServerConfig,
  parts: AsyncDisposableStack,
): Promise<string> => {
  // Its row is in memory: a running server must not find an object that is about to go.
  const records = openSqlite(IN_MEMORY);
  parts.defer(() => records.close());
  const rows = createObjectRows({ records, clock: systemClock, node: NODE, durable: false });
  const ring = createKeyRing(masters, systemRandom);
  const { s3 } = config.objects;
  // On the disk of the objects, but not among them: a server may be about to use a subfolder that is removed here.
  const scratch = await mkdtemp(s3 === null ? join(root, 'doctor-') : join(tmpdir(), 'linkshot-doctor-'));
  parts.defer(() => rm(scratch, { recursive: true, force: true }));
  if (s3 === null) checkObjectFolders(root);
  const store =
    s3 === null
      ? { objects: await createLocalObjects({ root: scratch, ring, rows }), close: async () => {} }
      : createS3Store(s3, { ring, rows, node: NODE, scratch, clock: systemClock, random: systemRandom });
  parts.defer(store.close);
  const { objects } = store;
  const id: ObjectId = await writeObject({ objects, random: systemRandom }, PIXEL);
  parts.defer(() => objects.remove(id));
  const inspector = createInspector({
    ...{ video: config.video, imageMegapixels: config.server.imageMegapixels, limits: config.media },
    ...{ fairness: config.fairness, clock: systemClock },
  });
  parts.defer(() => inspector.close());
  const { signal } = new AbortController();
  const read = await buffer(objects.read(id, { start: 0, end: PIXEL.length - 1 }, signal));
  if (!read.equals(PIXEL))
    throw new Error('An object that was just written was read back with other bytes; check the disk.');
  const kind = kindOfMime('image/png');
  const source = sourceOf(objects, id, PIXEL.length);
  const inspection = await inspector.inspect({ id, accountId: NODE as AccountId, source, kind }, signal);
  if (!inspection.ok) throw new Error(`The process that inspects files does not work: ${inspection.detail}`);
  return 'An object was written, read, inspected and removed.';
};

/** Those in software, by ffprobe's names of the codecs: the decoder `av1` is not among them. */
const DECODERS: Readonly<Record<string, readonly string[]>> = {
  h264: ['h264', 'libopenh264'],
  vp8: ['vp8', 'libvpx'],
  vp9: ['vp9', 'libvpx-vp9'],
  av1: ['libdav1d', 'libaom-av1'],
};

/** A sentence about ffmpeg by what it prints for `-version` and `-decoders`; `codecs` are those that the server takes. */
export const describePosters = (version: string, decoders: string, codecs: readonly string[]): string => {
  const [name = 'ffmpeg'] = version.split(' Copyright');
  const listed = new Set(decoders.split('\n').map((line) => /^ V[A-Z.]+ ([\w-]+) /.exec(line)?.[1]));
  const missing = codecs.filter((codec) => DECODERS[codec]?.every((decoder) => !listed.has(decoder)));
  return missing.length === 0
    ? `${name} makes posters of videos.`
    : `${name} makes posters of videos, but none of ${missing.join(', ')}: it has no decoder in software for them.`;
};

const checkFfmpeg = async ({ video }: Pick<ServerConfig, 'video'>): Promise<string> => {
  const run = (option: string) => runProgram('ffmpeg', ['-hide_banner', option]);
  const runs = await Promise.all([run('-version'), run('-decoders')]).catch(() => null);
  if (runs === null) return 'ffmpeg is not on the PATH: videos get no posters.';
  const [version, decoders] = runs;
  const codecs = new Set(video.formats.flatMap(({ videoCodecs }) => videoCodecs));
  return describePosters(version.stdout.toString(), decoders.stdout.toString(), [...codecs]);
};

const checkAntivirus = async (socket: string): Promise<string> => {
  const antivirus = createAntivirus(socket, () => {});
  try {
    await antivirus.check(PIXEL, AbortSignal.timeout(10_000));
  } catch {
    throw new Error(`clamd does not respond at ${socket}; folders are refused until it does.`);
  }
  return `clamd responds at ${socket}.`;
};
