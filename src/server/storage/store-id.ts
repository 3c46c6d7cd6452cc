/**
 * Checks that an S3 store belongs to the server's database: both contain the same random id, in a row and in the object
 * `store-id` below the prefix. Refuses, with a sentence for the operator, a bucket, prefix or endpoint of another
 * database.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Random } from '../clock-and-random.ts';
import type { ServerDatabase, Sql } from '../database/database-interface.ts';
import { sql } from '../database/sql-template.ts';
import type { Log } from '../log.ts';
import type { ObjectId } from './object-store-interface.ts';
import { getStored, keyOf, putStored } from './s3-chunks.ts';
import { type S3Client, S3FullError, S3RefusedError, type S3Settings } from './s3-client.ts';

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

interface Store {
  readonly records: Sql;
  readonly client: S3Client;
  readonly settings: Pick<S3Settings, 'bucket' | 'prefix'>;
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

/** The id at this place; null: there is none. */
const idInStore = async (client: S3Client): Promise<string | null> => {
  try {
    return (await getStored(client, KEY))?.toString('utf8').trim() ?? null;
  } catch (error) {
    if (isMissingKey(error)) return null;
    throw error;
  }
};

const exists = async (client: S3Client, id: ObjectId): Promise<boolean> => {
  const request = { operation: 'get', method: 'GET', key: keyOf(id, 0), headers: { range: 'bytes=0-0' } } as const;
  try {
    await (await client.send(request)).body.dump();
    return true;
  } catch (error) {
    if (isMissingKey(error)) return false;
    throw error;
  }
};

/** Whether some of the objects with rows are at this place. Their ids are random, so others do not have them. */
const ownObjects = async ({ records, client }: Store): Promise<'found' | 'missing' | 'none'> => {
  const some = await records.all<{ id: ObjectId }>(
    sql`SELECT "id" FROM "objects" WHERE "state" = 'permanent' AND "chunks" > 0 AND "size" > 0
        AND NOT EXISTS (SELECT 1 FROM "deletions" WHERE "objectId" = "objects"."id")
      ORDER BY "id" LIMIT ${SAMPLES}`,
  );
  if (some.length === 0) return 'none';
  for (const { id } of some) if (await exists(client, id)) return 'found';
  return 'missing';
};

const placeOf = ({ bucket, prefix }: Store['settings']): string => `the bucket ${bucket}, below "${prefix}"`;

const otherRecords = ({ settings }: Store, id: string | null, there: string): Error =>
  new Error(
    `The objects in ${placeOf(settings)}, belong to other records (${KEY} is ${there}${id === null ? '' : `, and that of these records ${id}`}). Correct objects.s3 or database.url, or choose another prefix.`,
  );

const otherPlace = ({ settings }: Store, id: string): Error =>
  new Error(
    `The objects of these records are not in ${placeOf(settings)}: correct objects.s3. If they are lost, and this is to be their place, store the text ${id} there under the key ${KEY}.`,
  );

/** `same`: they belong together; `unknown`: no start has tied them yet. Throws with a sentence when they do not. */
export const compareStore = async (store: Store): Promise<'same' | 'unknown'> => {
  const row = await rowOf(store.records);
  const there = await idInStore(store.client);
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
  const { records, client, node, isAlone, clock, random, log } = options;

  const put = (id: string): Promise<void> =>
    putStored(client, KEY, Buffer.from(`${id}\n`), AbortSignal.timeout(PLACE_MS));

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
  const place = async ({ id }: StoreRow): Promise<string> => {
    const there = await idInStore(client);
    if (there === id) return id;
    const own = await ownObjects(options);
    if (there !== null) {
      // The records were restored from a backup without the id.
      if (own === 'found') return there;
      throw otherRecords(options, id, there);
    }
    if (own === 'missing') throw otherPlace(options, id);
    await put(id);
    return id;
  };

  /** With a claim. False: it has ended, and another node has claimed it. */
  const tie = async (): Promise<boolean> => {
    try {
      const row = await rowOf(records);
      if (row === undefined) return false;
      const id = await place(row);
      const changed = await records.run(
        sql`UPDATE "storeId" SET "id" = ${id}, "placedAt" = ${clock.now()}
          WHERE "claimedBy" = ${node} AND "placedAt" IS NULL`,
      );
      return changed === 1;
    } catch (error) {
      await release();
      // What is there can be read and deleted; a later start ties them.
      if (error instanceof S3FullError) return true;
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
      await put(id);
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
      const there = await idInStore(client);
      if (there === row.id) return;
      if (there !== null) throw otherRecords(options, row.id, there);
      if (await restore(row)) return;
    } else if (await claim()) {
      if (await tie()) return;
    } else await sleep(LOOK_AGAIN_MS);
  }
};
