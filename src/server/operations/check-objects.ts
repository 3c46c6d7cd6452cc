/**
 * `server objects check`: compares the objects in the store with their rows in the database. Works while servers run.
 * Reports objects that are missing or incomplete, and objects that nothing needs; removes the latter only when asked.
 */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { rm } from '../../base/node/retrying-fs.ts';
import { systemClock, systemRandom } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import type { ServerDatabase } from '../database/database-interface.ts';
import { openStoredRecords } from '../database/open-database.ts';
import { join, sql } from '../database/sql-template.ts';
import { objectFiles, objectPaths } from '../storage/local-objects.ts';
import { createObjectRows, type ObjectRow } from '../storage/object-rows.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import { adviceFor } from '../storage/open-object-store.ts';
import { chunkInFile, chunksOf, keyOf, removeStored } from '../storage/s3-chunks.ts';
import {
  createS3Client,
  type S3Client,
  S3RefusedError,
  type S3Settings,
  S3UnavailableError,
} from '../storage/s3-client.ts';
import { listStored } from '../storage/s3-list.ts';
import { storedSize } from '../storage/sealed-format.ts';
import { compareStore, folderPlace, s3Place } from '../storage/store-id.ts';
import { createProgress, sizeText } from './progress-lines.ts';

const AT_ONCE = 500;
const LOOKS_AT_ONCE = 8;
const SHOWN = 100;
/** Objects are named so, and a bucket without a prefix may have keys of other programs. */
const CHUNK_KEY = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/(\d{1,9})$/;

interface Found {
  readonly count: number;
  /** The first hundred. */
  readonly ids: readonly ObjectId[];
}

interface ObjectsCheck {
  /** Everything is there, and nothing is too much. */
  readonly ok: boolean;
  /** Objects with a row. */
  readonly objects: number;
  /** Bytes in the store, of all objects. */
  readonly storedBytes: number;
  /** Objects that are missing in the store, in whole or in part: what refers to them cannot be opened. */
  readonly missing: Found;
  /** Files that something needs, but without a row: the next start of a server adds it. */
  readonly unregistered: Found;
  /** Objects in the store that have no row and that nothing needs: they only need space. */
  readonly orphans: Found & { readonly bytes: number };
  /** Orphans that this run has removed. */
  readonly removed: number;
}

interface CheckOptions {
  readonly data: string;
  readonly config: ServerConfig;
  readonly deleteOrphans: boolean;
  /** Progress and advice, a sentence a line. */
  readonly log: (line: string) => void;
}

/** What the store has of one object: the bytes of each chunk by its number; a file is one chunk. */
interface StoredObject {
  readonly id: ObjectId;
  readonly chunks: ReadonlyMap<number, number>;
}

interface Store {
  list(): AsyncIterable<StoredObject>;
  /** Null: nothing. */
  find(id: ObjectId): Promise<StoredObject | null>;
  /** The chunks of a finished object; null: unknown. */
  expected(row: ObjectRow): ReadonlyMap<number, number> | null;
  remove(object: StoredObject): Promise<void>;
}

/** Throws with a sentence for the operator. */
export const checkObjects = async ({ data, config, deleteOrphans, log }: CheckOptions): Promise<ObjectsCheck> => {
  const { folder, records } = await openStoredRecords(config, data);
  const { s3 } = config.objects;
  const client = s3 === null ? null : createS3Client({ settings: s3, clock: systemClock, random: systemRandom });
  try {
    if (s3 !== null || config.database.url !== null) {
      const place = s3 === null || client === null ? folderPlace(folder.objects) : s3Place(client, s3);
      const tie = await compareStore({ records, place });
      if (tie === 'unknown' && deleteOrphans) {
        throw new Error(
          'Whether the store belongs to these records is not known yet; start a server on them once, then repeat.',
        );
      }
    }
    const store = s3 === null || client === null ? fileStore(folder.objects) : s3Store(client, s3);
    // Of files beside SQLite the rows are not durable, so a start adds those that are lost.
    const addsRows = s3 === null && config.database.url === null;
    return await compare(records, store, { addsRows, deleteOrphans, log });
  } catch (error) {
    if (s3 !== null && error instanceof S3RefusedError && error.operation === 'list') {
      throw new Error(
        `The bucket ${s3.bucket} cannot be listed (${error.status} ${error.s3Code}); this command needs that right besides those of the server.`,
        { cause: error },
      );
    }
    if (s3 !== null && (error instanceof S3RefusedError || error instanceof S3UnavailableError))
      throw new Error(adviceFor(error, s3), { cause: error });
    throw error;
  } finally {
    await client?.close();
    await records.close();
  }
};

const foundOf = (ids: readonly ObjectId[]): Found => ({ count: ids.length, ids: ids.slice(0, SHOWN) });

const bytesOf = ({ chunks }: StoredObject): number => [...chunks.values()].reduce((sum, bytes) => sum + bytes, 0);

const compare = async (
  records: ServerDatabase,
  store: Store,
  { addsRows, deleteOrphans, log }: Pick<CheckOptions, 'deleteOrphans' | 'log'> & { readonly addsRows: boolean },
): Promise<ObjectsCheck> => {
  const rows = createObjectRows({ records, clock: systemClock, node: 'objects check', durable: true });
  const progress = createProgress(log);
  const seen = new Map<ObjectId, StoredObject>();
  const withoutRow: StoredObject[] = [];
  let storedBytes = 0;

  const knownOf = async (ids: readonly ObjectId[]): Promise<ReadonlySet<ObjectId>> => {
    const known = await records.all<{ id: ObjectId }>(sql`SELECT "id" FROM "objects" WHERE "id" IN (${join(ids)})`);
    return new Set(known.map(({ id }) => id));
  };

  const sort = async (batch: readonly StoredObject[]): Promise<void> => {
    if (batch.length === 0) return;
    // Rows are written before the first byte: what is listed has had its row for longer.
    const known = await knownOf(batch.map(({ id }) => id));
    for (const object of batch) {
      storedBytes += bytesOf(object);
      if (known.has(object.id)) seen.set(object.id, object);
      else withoutRow.push(object);
    }
    progress.step(() => `Listed ${seen.size + withoutRow.length} objects (${sizeText(storedBytes)}).`);
  };

  let batch: StoredObject[] = [];
  for await (const object of store.list()) {
    batch.push(object);
    if (batch.length < AT_ONCE) continue;
    await sort(batch);
    batch = [];
  }
  await sort(batch);

  const isMissing = (row: ObjectRow, object: StoredObject | null | undefined): boolean => {
    const expected = store.expected(row);
    if (expected === null) return object == null;
    return [...expected].some(([chunk, bytes]) => object?.chunks.get(chunk) !== bytes);
  };
  /** It may have been stored or deleted since it was listed. */
  const isMissingNow = async (id: ObjectId): Promise<boolean> => {
    const object = await store.find(id);
    const row = await rows.byId(id);
    const isLost = row === undefined ? !addsRows || object === null : isMissing(row, object);
    // Asked last: what is being deleted loses its owner first.
    return isLost && (await rows.owned([id])).has(id);
  };

  /** Those without a row and without an owner. */
  const unneededOf = async (ids: readonly ObjectId[]): Promise<ReadonlySet<ObjectId>> => {
    const [known, owned] = [await knownOf(ids), await rows.owned(ids)];
    return new Set(ids.filter((id) => !known.has(id) && !owned.has(id)));
  };

  const missing = new Set<ObjectId>();
  let objects = 0;
  for (let page = await rows.page(null, AT_ONCE); page.length > 0; ) {
    objects += page.length;
    for (const row of page) {
      // What is being received is not complete.
      if (row.state !== 'permanent' || !isMissing(row, seen.get(row.id))) continue;
      if (await isMissingNow(row.id)) missing.add(row.id);
    }
    progress.step(() => `Compared ${objects} rows.`);
    page = await rows.page(page.at(-1)?.id ?? null, AT_ONCE);
  }
  // `move --skip-damaged` leaves items whose objects have no row, or one that is not permanent.
  let needed = 0;
  for (let page = await rows.pageOfItems(null, AT_ONCE); page.length > 0; ) {
    needed += page.length;
    for (const { id, state } of page) if (state !== 'permanent' && (await isMissingNow(id))) missing.add(id);
    progress.step(() => `Looked for ${needed} objects that items need.`);
    page = await rows.pageOfItems(page.at(-1)?.id ?? null, AT_ONCE);
  }

  // A server may have been deleting it: the row goes after the last byte.
  const orphans: StoredObject[] = [];
  const unregistered: ObjectId[] = [];
  for (let at = 0; at < withoutRow.length; at += LOOKS_AT_ONCE) {
    const looked = withoutRow.slice(at, at + LOOKS_AT_ONCE);
    const found = await Promise.all(looked.map(({ id }) => store.find(id)));
    const unneeded = await unneededOf(looked.map(({ id }) => id));
    for (const object of found) {
      if (object === null) continue;
      if (unneeded.has(object.id)) orphans.push(object);
      else if (addsRows && (await rows.byId(object.id)) === undefined) unregistered.push(object.id);
    }
    progress.step(() => `Looked again at ${at + looked.length} of ${withoutRow.length} objects without a row.`);
  }
  if (unregistered.length > 0) {
    log(
      `${unregistered.length} files that items or uploads need have no row, as after an upgrade or a power cut; start a server on them once, then repeat.`,
    );
  }

  if (deleteOrphans && orphans.length > 0 && seen.size === 0) {
    throw new Error(
      'No object in the store has a row, so nothing was deleted; check that database.url and objects.s3 belong together.',
    );
  }
  let removed = 0;
  for (const object of deleteOrphans ? orphans : []) {
    if (!(await unneededOf([object.id])).has(object.id)) continue;
    await store.remove(object);
    removed += 1;
    progress.step(() => `Deleted ${removed} of ${orphans.length} objects without a row.`);
  }
  return {
    ok: missing.size === 0 && unregistered.length === 0 && orphans.length === removed,
    objects,
    storedBytes,
    missing: foundOf([...missing].sort()),
    unregistered: foundOf(unregistered),
    orphans: {
      ...foundOf(orphans.map(({ id }) => id)),
      bytes: orphans.reduce((sum, object) => sum + bytesOf(object), 0),
    },
    removed,
  };
};

const fileStore = (root: string): Store => {
  const sizeOf = (path: string): Promise<number | null> =>
    stat(path).then(
      ({ size }) => size,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      },
    );
  const find = async (id: ObjectId): Promise<StoredObject | null> => {
    const { permanent, staged } = objectPaths(root, id);
    const size = (await sizeOf(permanent)) ?? (await sizeOf(staged));
    return size === null ? null : { id, chunks: new Map([[0, size]]) };
  };
  return {
    find,
    list: async function* () {
      // Before the first start there is no folder.
      if (!existsSync(root)) return;
      for await (const { id } of objectFiles(root)) {
        const found = await find(id);
        if (found !== null) yield found;
      }
    },
    expected: ({ size }) => (size === null ? null : new Map([[0, storedSize(size)]])),
    remove: async ({ id }) => {
      for (const path of Object.values(objectPaths(root, id))) await rm(path, { force: true });
    },
  };
};

const s3Store = (client: S3Client, settings: S3Settings): Store => {
  async function* list(start = ''): AsyncGenerator<StoredObject> {
    let [id, chunks] = ['', new Map<number, number>()];
    for await (const { key, bytes } of listStored(client, settings, start)) {
      const [, owner, chunk] = CHUNK_KEY.exec(key) ?? [];
      if (owner === undefined) continue;
      if (owner !== id) {
        if (id !== '') yield { id: id as ObjectId, chunks };
        [id, chunks] = [owner, new Map()];
      }
      chunks.set(Number(chunk), bytes);
    }
    if (id !== '') yield { id: id as ObjectId, chunks };
  }
  return {
    list,
    find: async (id) => {
      for await (const object of list(`${id}/`)) return object;
      return null;
    },
    expected: ({ size }) => {
      if (size === null) return null;
      const numbers = Array.from({ length: chunksOf(size) }, (_, chunk) => chunk);
      return new Map(numbers.map((chunk) => [chunk, chunkInFile(size, chunk).bytes]));
    },
    remove: async ({ id, chunks }) => {
      for (const chunk of chunks.keys()) await removeStored(client, keyOf(id, chunk));
    },
  };
};
