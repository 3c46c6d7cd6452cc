/**
 * Checks that a store of objects belongs to the server's database: both contain the same random id, in a row and in
 * `store-id`, an object below the prefix of an S3 store or a file in a folder. Refuses, with a sentence for the operator,
 * a place of another database.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync, writeFileSync } from '../../base/node/retrying-fs.ts';
import type { Clock, Random } from '../clock-and-random.ts';
import type { ServerDatabase, Sql } from '../database/database-interface.ts';
import { raw, sql } from '../database/sql-template.ts';
import type { Log } from '../log.ts';
import { holdsObjects, objectPaths } from './local-objects.ts';
import type { ObjectId } from './object-store-interface.ts';
import { getStored, keyOf, putStored } from './s3-chunks.ts';
import { type S3Client, S3RefusedError, type S3Settings } from './s3-client.ts';

const KEY = 'store-id';
const CLAIM_MS = 60_000;
/** Much shorter than a claim. */
const PLACE_MS = 15_000;
const LOOK_AGAIN_MS = 200;
/** Some of them may be lost. */
const SAMPLES = 8;

interface StoreRow {
  readonly id: string;
  readonly placedAt: number | null;
}

/** Where the objects of records are, or should be. */
interface StorePlace {
  /** As the rows of its objects have it. */
  readonly kind: 'files' | 'chunks';
  /** For a sentence. */
  readonly name: string;
  /** For the operator: what may be wrong, and what ties the place to the records whose id is `id`. */
  readonly advice: { readonly otherRecords: string; readonly otherPlace: (id: string) => string };
  /** The id at this place, when it is `known` or the place may have objects; null: there is none. */
  find(known: string | undefined): Promise<string | null>;
  put(id: string): Promise<void>;
  /** Whether the permanent object is here, at least its beginning. */
  has(id: ObjectId): Promise<boolean>;
}

interface Store {
  readonly records: Sql;
  readonly place: StorePlace;
}

interface ConfirmOptions extends Omit<Store, 'records'> {
  readonly records: ServerDatabase;
  /** This node; no other process that runs at the same time has this name. */
  readonly node: string;
  /** Whether no other node runs on the records, or may go on. */
  readonly isAlone: () => Promise<boolean>;
  /** The clock on which all nodes agree. */
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

const rowOf = (records: Sql): Promise<StoreRow | undefined> =>
  records.get<StoreRow>(sql`SELECT "id", "placedAt" FROM "storeId"`);

/** Of a key that does not exist; the second one to those who may not list the bucket. A proxy may hide them. */
const MISSING_CODES: readonly string[] = ['NoSuchKey', 'AccessDenied', ''];

/** Whether the store has no such key. Another refusal is of the whole bucket, such as that of a wrong secret. */
const isMissingKey = (error: unknown): boolean =>
  error instanceof S3RefusedError && [403, 404].includes(error.status) && MISSING_CODES.includes(error.s3Code);

export const s3Place = (client: S3Client, { bucket, prefix }: Pick<S3Settings, 'bucket' | 'prefix'>): StorePlace => {
  const unlessMissing = async <T>(ask: () => Promise<T>, missing: T): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      if (isMissingKey(error)) return missing;
      throw error;
    }
  };
  return {
    kind: 'chunks',
    name: `the bucket ${bucket}, below "${prefix}"`,
    advice: {
      otherRecords: 'Correct objects.s3 or database.url, or choose another prefix.',
      otherPlace: (id) =>
        `correct objects.s3. If they are lost, and this is to be their place, store the text ${id} there under the key ${KEY}.`,
    },
    find: () => unlessMissing(async () => (await getStored(client, KEY))?.toString('utf8').trim() ?? null, null),
    put: (id) => putStored(client, KEY, Buffer.from(`${id}\n`), AbortSignal.timeout(PLACE_MS)),
    has: (id) =>
      unlessMissing(async () => {
        const range = { range: 'bytes=0-0' };
        const { body } = await client.send({ operation: 'get', method: 'GET', key: keyOf(id, 0), headers: range });
        await body.dump();
        return true;
      }, false),
  };
};

/** `root` is the folder of the objects. */
export const folderPlace = (root: string): StorePlace => {
  const path = join(root, KEY);
  return {
    kind: 'files',
    name: `the folder ${root}`,
    advice: {
      otherRecords: 'Correct --data or database.url.',
      otherPlace: (id) =>
        `correct --data. If they are lost, and this is to be their place, write the text ${id} into the file ${path}.`,
    },
    find: async (known) => {
      const id = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
      return id !== '' && (id === known || holdsObjects(root)) ? id : null;
    },
    put: async (id) => writeFileSync(path, `${id}\n`, { mode: 0o600 }),
    has: async (id) => existsSync(objectPaths(root, id).permanent),
  };
};

/** Whether some of the objects with rows are at this place. Their ids are random, so others do not have them. */
const ownObjects = async ({ records, place }: Store): Promise<'found' | 'missing' | 'none'> => {
  const some = await records.all<{ id: ObjectId }>(
    sql`SELECT "id" FROM "objects" WHERE "state" = 'permanent' AND ${place.kind === 'files' ? raw('"chunks" IS NULL') : raw('"chunks" > 0 AND "size" > 0')}
        AND NOT EXISTS (SELECT 1 FROM "deletions" WHERE "objectId" = "objects"."id")
      ORDER BY "id" LIMIT ${SAMPLES}`,
  );
  if (some.length === 0) return 'none';
  for (const { id } of some) if (await place.has(id)) return 'found';
  return 'missing';
};

const otherRecords = ({ place }: Store, id: string | null, there: string): Error =>
  new Error(
    `The objects in ${place.name}, belong to other records (${KEY} is ${there}${id === null ? '' : `, and that of these records ${id}`}). ${place.advice.otherRecords}`,
  );

const otherPlace = ({ place }: Store, id: string): Error =>
  new Error(`The objects of these records are not in ${place.name}: ${place.advice.otherPlace(id)}`);

const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOSPC';

/** `same`: they belong together; `unknown`: no start has tied them yet. Throws with a sentence when they do not. */
export const compareStore = async (store: Store): Promise<'same' | 'unknown'> => {
  const row = await rowOf(store.records);
  const there = await store.place.find(row?.id);
  if (row !== undefined && there === row.id) return 'same';
  if (there !== null && (row?.placedAt != null || (await ownObjects(store)) !== 'found'))
    throw otherRecords(store, row?.id ?? null, there);
  if (row?.placedAt != null && (await ownObjects(store)) === 'missing') throw otherPlace(store, row.id);
  return 'unknown';
};

/**
 * At start: throws with a sentence when the store belongs to other records. Ties the two where no start has done so: the
 * store must have an object of the records then, unless there are none.
 */
export const confirmStore = async (options: ConfirmOptions): Promise<void> => {
  const { records, node, isAlone, clock, random, log } = options;

  /** False: another node does it, or has done it. */
  const claim = async (): Promise<boolean> => {
    const now = clock.now();
    const changed = await records.run(
      sql`INSERT INTO "storeId" ("only", "id", "claimedBy", "claimedUntil")
        VALUES (1, ${random.uuid()}, ${node}, ${now + CLAIM_MS})
        ON CONFLICT ("only") DO UPDATE SET "claimedBy" = EXCLUDED."claimedBy", "claimedUntil" = EXCLUDED."claimedUntil"
        WHERE "storeId"."placedAt" IS NULL
          AND ("storeId"."claimedBy" IS NULL OR "storeId"."claimedBy" = ${node} OR "storeId"."claimedUntil" <= ${now}
            OR "storeId"."claimedUntil" > ${now + 2 * CLAIM_MS})`,
    );
    return changed === 1;
  };

  const release = async (): Promise<void> => {
    await records.run(sql`UPDATE "storeId" SET "claimedBy" = NULL WHERE "claimedBy" = ${node} AND "placedAt" IS NULL`);
  };

  /** The id that both have from now on. */
  const placed = async ({ id }: StoreRow): Promise<string> => {
    const there = await options.place.find(id);
    if (there === id) return id;
    const own = await ownObjects(options);
    if (there !== null) {
      // The records were restored from a backup without the id.
      if (own === 'found') return there;
      throw otherRecords(options, id, there);
    }
    if (own === 'missing') throw otherPlace(options, id);
    await options.place.put(id);
    return id;
  };

  /** With a claim. False: it has ended, and another node has claimed it. */
  const tie = async (): Promise<boolean> => {
    try {
      const row = await rowOf(records);
      if (row === undefined) return false;
      const id = await placed(row);
      const changed = await records.run(
        sql`UPDATE "storeId" SET "id" = ${id}, "placedAt" = ${clock.now()}
          WHERE "claimedBy" = ${node} AND "placedAt" IS NULL`,
      );
      return changed === 1;
    } catch (error) {
      await release();
      // What is there can be read and deleted; a later start ties them.
      if (isFull(error)) return true;
      throw error;
    }
  };

  /** Of records with an id that the place does not have. True: it is theirs. */
  const restore = async ({ id }: StoreRow): Promise<boolean> => {
    const own = await ownObjects(options);
    if (own === 'found') {
      log('The id of the object store was missing, and is written again: it has the objects of these records.', {
        level: 'warn',
      });
      await options.place.put(id);
      return true;
    }
    if (own === 'missing' || !(await isAlone())) throw otherPlace(options, id);
    // There is nothing to lose, and no node that uses the place before.
    await records.run(sql`DELETE FROM "storeId" WHERE "id" = ${id}`);
    return false;
  };

  for (;;) {
    const row = await rowOf(records);
    if (row?.placedAt != null) {
      const there = await options.place.find(row.id);
      if (there === row.id) return;
      if (there !== null) throw otherRecords(options, row.id, there);
      if (await restore(row)) return;
    } else if (await claim()) {
      if (await tie()) return;
    } else await sleep(LOOK_AGAIN_MS);
  }
};
