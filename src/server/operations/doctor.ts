/**
 * `server doctor`: checks what a server needs, such as the data folder, the database, the object store, the master key
 * and ffmpeg, and says of each what holds or what to do. It leaves nothing behind, creates neither the folder nor the
 * key, and works beside a running server.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import type { AccountId } from '../../api/ids.ts';
import { kindOfMime } from '../../api/media-kind.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import { runProgram } from '../../base/node/run-program.ts';
import { systemClock, systemRandom } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import type { PostgresSettings } from '../database/postgres.ts';
import { IN_MEMORY, openSqlite } from '../database/sqlite.ts';
import { SCHEMA_VERSION, schemaVersionOf } from '../database/sqlite-file.ts';
import { createAntivirus } from '../folders/antivirus.ts';
import { createInspector } from '../media/media-inspector.ts';
import { createKeyRing } from '../storage/key-ring.ts';
import { openMasterKeys } from '../storage/load-master-keys.ts';
import { createLocalObjects } from '../storage/local-objects.ts';
import { createObjectRows } from '../storage/object-rows.ts';
import { type ObjectId, sourceOf, writeObject } from '../storage/object-store.ts';
import { createS3Store, probeS3 } from '../storage/open-object-store.ts';
import { probeS3Once } from '../storage/s3-chunks.ts';
import { createS3Client, type S3Settings } from '../storage/s3-client.ts';

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
  const checks: Check[] = [];
  const check = async (name: string, run: () => string | Promise<string>): Promise<boolean> => {
    try {
      checks.push({ name, ok: true, detail: await run() });
      return true;
    } catch (error) {
      checks.push({ name, ok: false, detail: error instanceof Error ? error.message : String(error) });
      return false;
    }
  };

  const isFolderFine = await check('data folder', () => checkFolder(folder));
  if (isFolderFine) await check('free space', () => checkSpace(folder));
  const { url } = config.database;
  if (url !== null) await check('database', () => checkPostgres({ ...config.database, url }));
  else if (isFolderFine && existsSync(join(folder, 'linkshot.sqlite')))
    await check('database', () => checkDatabase(join(folder, 'linkshot.sqlite')));
  const objects = join(folder, 'objects');
  const { s3 } = config.objects;
  const isStoreFine = s3 === null || (await check('object store', async () => await checkS3(s3)));
  if (existsSync(join(objects, 'key-check'))) {
    const openKeys = () =>
      openMasterKeys({ data, objects, keyFile: config.keyFile, keyText, isShared: url !== null, log: () => {} });
    const isKeyFine = await check('master key', () => {
      openKeys();
      return 'The key is the one that the data folder is encrypted with.';
    });
    if (isKeyFine && isStoreFine) await check('objects', async () => await checkObjects(objects, openKeys(), config));
  }
  await check('ffmpeg', checkFfmpeg);
  const { clamdSocket } = config.antivirus;
  if (clamdSocket !== null) await check('antivirus', async () => await checkAntivirus(clamdSocket));
  return checks;
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
  const { bavail, bsize } = await statfs(existingParent(folder));
  const free = bavail * bsize;
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

/** Writes, reads and removes an object that belongs to no key. */
const checkS3 = async (settings: S3Settings): Promise<string> => {
  const client = createS3Client({ settings, clock: systemClock, random: systemRandom });
  try {
    await probeS3({ probe: () => probeS3Once(client, NODE) }, settings);
    return `${new URL(settings.endpoint).host} stores objects in the bucket ${settings.bucket}.`;
  } finally {
    await client.close();
  }
};

const checkPostgres = async (settings: PostgresSettings): Promise<string> => {
  const { postgresSchema } = await import('../database/postgres.ts');
  const { version, known } = await postgresSchema(settings);
  return version === known
    ? `PostgreSQL responds, and the database has schema ${version}.`
    : `PostgreSQL responds; the next start upgrades the database from schema ${version} to ${known}.`;
};

/** Writes a picture, reads it back, inspects it in the process for untrusted files, and removes it. */
const checkObjects = async (
  root: string,
  masters: ReturnType<typeof openMasterKeys>,
  config: ServerConfig,
): Promise<string> => {
  // Its row is in memory: a running server must not find an object that is about to go.
  const records = openSqlite(IN_MEMORY);
  const rows = createObjectRows({ records, clock: systemClock, node: NODE, durable: false });
  const ring = createKeyRing(masters, systemRandom);
  const { s3 } = config.objects;
  const scratch = await mkdtemp(join(tmpdir(), 'linkshot-doctor-'));
  const store =
    s3 === null
      ? { objects: await createLocalObjects({ root, ring, rows }), close: async () => {} }
      : createS3Store(s3, { ring, rows, node: NODE, scratch, clock: systemClock, random: systemRandom });
  const { objects } = store;
  const id: ObjectId = await writeObject({ objects, random: systemRandom }, PIXEL);
  const inspector = createInspector({
    ...{ video: config.video, imageMegapixels: config.server.imageMegapixels, limits: config.media },
    clock: systemClock,
  });
  const { signal } = new AbortController();
  try {
    const read = await buffer(objects.read(id, { start: 0, end: PIXEL.length - 1 }, signal));
    if (!read.equals(PIXEL))
      throw new Error('An object that was just written was read back with other bytes; check the disk.');
    const kind = kindOfMime('image/png');
    const source = sourceOf(objects, id, PIXEL.length);
    const inspection = await inspector.inspect({ id, accountId: NODE as AccountId, source, kind }, signal);
    if (!inspection.ok) throw new Error(`The process that inspects files does not work: ${inspection.detail}`);
    return 'An object was written, read, inspected and removed.';
  } finally {
    await inspector.close();
    await objects.remove(id);
    await store.close();
    await rm(scratch, { recursive: true, force: true });
    await records.close();
  }
};

const checkFfmpeg = async (): Promise<string> => {
  const run = await runProgram('ffmpeg', ['-version']).catch(() => null);
  if (run === null) return 'ffmpeg is not on the PATH: videos get no posters.';
  const [version = 'ffmpeg'] = run.stdout.toString().split(' Copyright');
  return `${version} makes posters of videos.`;
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
