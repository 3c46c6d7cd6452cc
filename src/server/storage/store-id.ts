/**
 * Checks that a store of objects belongs to the server's database: both contain the same random id, in a row and in
 * `store-id`, an object below the prefix of an S3 store or a file in a folder. Refuses, with a sentence for the operator,
 * a place of another database.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync, writeFileSync } from '../../base/node/retrying-fs.ts';
import { isOutOfSpace } from '../../common/disk-full.ts';
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
/** Most of them may be lost. */
const SAMPLES = { files: 1_000, chunks: 64 };
const LOOKS_AT_ONCE = 8;

interface StoreRow {
  readonly id: string;
  readonly placedAt: number | null;
}

/** Where the objects of records are, or should be. */
interface StorePlace {
  /** As the rows of its objects have it. */
  readonly kind: keyof typeof SAMPLES;
  /** For a sentence. */
  readonly name: string;
  /** For the operator: what may be wrong, and what ties the place to the records whose id is `id`, if they have one. */
  readonly advice: { readonly otherRecords: string; readonly otherPlace: (id: string | null) => string };
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

const ifLost = (id: string | null, does: (text: string) => string): string =>
  `If they are lost, and this is to be their place, ${id === null ? 'a start of a server says what to do' : does(`the text ${id}`)}.`;

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
      otherPlace: (id) => `correct objects.s3. ${ifLost(id, (text) => `store ${text} there under the key ${KEY}`)}`,
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
      otherPlace: (id) => `correct --data. ${ifLost(id, (text) => `write ${text} into the file ${path}`)}`,
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
      ORDER BY "id" LIMIT ${SAMPLES[place.kind]}`,
  );
  for (let at = 0; at < some.length; at += LOOKS_AT_ONCE) {
    const looks = await Promise.all(some.slice(at, at + LOOKS_AT_ONCE).map(({ id }) => place.has(id)));
    if (looks.includes(true)) return 'found';
  }
  return some.length === 0 ? 'none' : 'missing';
};

const otherRecords = ({ place }: Store, id: string | null, there: string): Error =>
  new Error(
    `The objects in ${place.name}, belong to other records (${KEY} is ${there}${id === null ? '' : `, and that of these records ${id}`}). ${place.advice.otherRecords}`,
  );

const otherPlace = ({ place }: Store, id: string | null): Error =>
  new Error(`The objects of these records are not in ${place.name}: ${place.advice.otherPlace(id)}`);

const EARLIER = '.';
/** Of the next place of the same records: its first part stays, so that they know a place that they had before. */
const idAfter = (id: string, random: Random): string => `${id.split(EARLIER)[0]}${EARLIER}${random.uuid()}`;
const isOfSameRecords = (a: string, b: string): boolean => a.split(EARLIER)[0] === b.split(EARLIER)[0];

interface Found {
  /** The id at the place; null: none, or one that these records had for an earlier place. */
  readonly there: string | null;
  /** `tied`: it is that of the records. Else whether some of their objects are here; `none`: there are none. */
  readonly own: 'tied' | 'found' | 'none';
}

/** Throws with a sentence when the place is not that of the records. */
const lookAt = async (store: Store, row: StoreRow | undefined): Promise<Found> => {
  const id = row?.id ?? null;
  const found = await store.place.find(row?.id);
  if (found !== null && found === id) return { there: found, own: 'tied' };
  const there = found !== null && id !== null && isOfSameRecords(found, id) ? null : found;
  if (there !== null && row?.placedAt != null) throw otherRecords(store, id, there);
  const own = await ownObjects(store);
  // With its objects, the records were restored from a backup without the id.
  if (there !== null && own !== 'found') throw otherRecords(store, id, there);
  if (own === 'missing') throw otherPlace(store, id);
  return { there, own };
};

/** `same`: they belong together; `unknown`: no start has tied them yet. Throws with a sentence when they do not. */
export const compareStore = async (store: Store): Promise<'same' | 'unknown'> => {
  const { own } = await lookAt(store, await rowOf(store.records));
  return own === 'tied' ? 'same' : 'unknown';
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

  /** False: there is no space. What is there can be read and deleted; a later start writes the id. */
  const put = async (id: string): Promise<boolean> => {
    try {
      await options.place.put(id);
      return true;
    } catch (error) {
      if (isOutOfSpace(error)) return false;
      throw error;
    }
  };

  /** With a claim. False: it has ended, and another node has claimed it. */
  const tie = async (): Promise<boolean> => {
    try {
      const row = await rowOf(records);
      if (row === undefined) return false;
      const { there } = await lookAt(options, row);
      const id = there ?? row.id;
      if (there === null && !(await put(id))) {
        await release();
        return true;
      }
      const changed = await records.run(
        sql`UPDATE "storeId" SET "id" = ${id}, "placedAt" = ${clock.now()}
          WHERE "claimedBy" = ${node} AND "placedAt" IS NULL`,
      );
      return changed === 1;
    } catch (error) {
      await release();
      throw error;
    }
  };

  /** Of records with an id that the place may not have. True: it is theirs. */
  const restore = async (row: StoreRow): Promise<boolean> => {
    const { id } = row;
    const { own } = await lookAt(options, row);
    if (own === 'tied') return true;
    if (own === 'found') {
      log('The id of the object store was missing, and is written again: it has the objects of these records.', {
        level: 'warn',
      });
      await put(id);
      return true;
    }
    // Beside a server with its files in a folder no other one runs.
    if (options.place.kind === 'chunks' && !(await isAlone())) throw otherPlace(options, id);
    // There is nothing to lose, and no node that uses the place before. That one keeps the id of before.
    await records.run(
      sql`UPDATE "storeId" SET "id" = ${idAfter(id, random)}, "placedAt" = NULL, "claimedBy" = NULL WHERE "id" = ${id}`,
    );
    return false;
  };

  for (;;) {
    const row = await rowOf(records);
    if (row?.placedAt != null) {
      if (await restore(row)) return;
    } else if (await claim()) {
      if (await tie()) return;
    } else await sleep(LOOK_AGAIN_MS);
  }
};
