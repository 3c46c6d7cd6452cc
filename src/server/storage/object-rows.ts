/**
 * The rows of objects, and of the master keys that objects need. A row is written before the first byte of its object
 * and deleted after the last byte is removed, so that no object of a killed server is lost track of. Once an item owns
 * an object (it is settled), only the deletion queue removes it.
 */
import { ageMs } from '../../base/common/wall-clock.ts';
import type { Clock } from '../clock-and-random.ts';
import type { ServerDatabase, Sql, Transaction } from '../database/database-interface.ts';
import { join, type Query, raw, sql } from '../database/sql-template.ts';
import type { StoredKeys, WrappedKeys } from './key-ring.ts';
import type { ObjectId } from './object-store-interface.ts';

/** Sizes are bytes of plaintext. */
export interface ObjectRow extends StoredKeys {
  readonly id: ObjectId;
  readonly state: 'staged' | 'permanent';
  /** Null: still being received, or a file of an earlier version. */
  readonly size: number | null;
  /** In a store of chunks: how many of them may exist. */
  readonly chunks: number | null;
  /** Null: it is in the file. */
  readonly header: Buffer | null;
}

interface NewObject extends WrappedKeys {
  readonly id: ObjectId;
  readonly size: number | null;
  readonly chunks: number | null;
  readonly header: Buffer | null;
}

export interface FoundFile {
  readonly id: ObjectId;
  readonly state: ObjectRow['state'];
}

export interface ObjectRows {
  byId(id: ObjectId): Promise<ObjectRow | undefined>;
  /** Whether it has a row and is not about to be deleted. */
  isKept(id: ObjectId): Promise<boolean>;
  /** Before the first byte. Rejects when there is a row. */
  insert(row: NewObject): Promise<void>;
  /** Before chunks up to `chunks` are written; also says that the object is alive. */
  reserve(id: ObjectId, chunks: number): Promise<void>;
  /** The result says, as often as it is called while the object is written, that it is alive. */
  keepAlive(id: ObjectId): () => Promise<void>;
  /** Everything was received. */
  finish(id: ObjectId, size: number, header: Buffer | null): Promise<void>;
  /** False: there is no row. */
  makePermanent(id: ObjectId): Promise<boolean>;
  /** After the last byte was removed. */
  remove(id: ObjectId): Promise<void>;

  /** At start, before anything is staged: what an earlier process of this node has left belongs to no process. */
  disown(): Promise<void>;
  /** Adds rows for files without one: of an earlier version, or whose row was lost in a power cut. */
  adopt(files: readonly FoundFile[]): Promise<void>;
  /** Staged objects of uploads whose parts are awaited. */
  awaited(): Promise<readonly ObjectId[]>;
  /** Whether an item owns it shows later; until then it belongs to no process. Does not reject. */
  abandon(id: ObjectId): Promise<void>;
  /** Objects that an item owns are settled. */
  settle(): Promise<void>;
  /**
   * Adds unsettled objects that nothing owns to the deletion queue: those of ended servers, those abandoned before
   * `abandonedBefore`, and those untouched since `before`. Resolves with their number.
   */
  enqueueOrphans(before: number, abandonedBefore: number): Promise<number>;

  /** Those of `ids` that an item or a pending upload has, whether they have a row or not. */
  owned(ids: readonly ObjectId[]): Promise<ReadonlySet<ObjectId>>;
  /** Up to `limit` objects that items have, in the order of their ids; `state` is null without a row. */
  pageOfItems(
    after: ObjectId | null,
    limit: number,
  ): Promise<readonly { readonly id: ObjectId; readonly state: ObjectRow['state'] | null }[]>;
  /** Up to `limit` rows in the order of their ids. */
  page(after: ObjectId | null, limit: number): Promise<readonly ObjectRow[]>;
  /** Writes keys that were wrapped again; a row that has changed or gone meanwhile stays. Resolves with their number. */
  rewrap(changes: readonly { readonly before: ObjectRow; readonly keys: WrappedKeys }[]): Promise<number>;
  /** Rows by the master key that they need; null: rows without a wrapped key. */
  countByKey(): Promise<ReadonlyMap<string | null, number>>;
  /** The master keys that something stored may need. */
  masterKeys(): Promise<readonly string[]>;
  /**
   * Adds the key `newest`, unless something stored needs, or may need, a key that is not among `known`. Resolves with
   * those; none: it was added.
   */
  registerMasterKey(newest: string, known: readonly string[]): Promise<readonly string[]>;
  /**
   * Forgets all master keys but this one, if no row needs another one. False: some row does. `check` runs first in the
   * same transaction, and prevents it by rejecting.
   */
  keepOnlyMasterKey(keyId: string, check: (tx: Sql) => Promise<void>): Promise<boolean>;
}

/** What of items owns objects: the column of their ids, and the rows of which. */
const ITEMS = [
  { column: '"objectId"', rows: '"content" WHERE "objectId" IS NOT NULL' },
  { column: '"previewId"', rows: '"content" WHERE "previewId" IS NOT NULL' },
];
const OWNERS = [{ column: '"objectId"', rows: `"uploads" WHERE "state" IN ('UPLOADING', 'COMPLETING')` }, ...ITEMS];

/** No pending upload and no item has the object, and the deletion queue does not know it. */
const UNOWNED = raw(
  [...OWNERS, { column: '"objectId"', rows: '"deletions" WHERE TRUE' }]
    .map(({ column, rows }) => `NOT EXISTS (SELECT 1 FROM ${rows} AND ${column} = "objects"."id")`)
    .join(' AND '),
);

const COLUMNS = raw('"id", "state", "size", "chunks", "header", "keyId", "wrappedKey"');
/** The node of objects whose process has ended. */
const ENDED = '';
/** The node of objects that an item may own or not. */
const ABANDONED = '?';
/** Much shorter than the time after which untouched objects are removed. */
const TOUCH_MS = 3_600_000;

interface ObjectRowsDeps {
  readonly records: ServerDatabase;
  readonly clock: Clock;
  /** This node; no other process that runs at the same time has this name. */
  readonly node: string;
  /**
   * False for files in the folder of the database: rows are then not synced by themselves, because what a power cut
   * separates from its row is found at the next start, and the commit of the item syncs its row too.
   */
  readonly durable: boolean;
}

/**
 * In the transaction that gives the object to an item: from then on only the deletion queue removes it. False: it is not
 * permanent, or is about to be deleted, and the item would have no bytes.
 */
export const settleObject = async (tx: Transaction, id: ObjectId): Promise<boolean> => {
  await tx.get(sql`SELECT "id" FROM "objects" WHERE "id" = ${id} ${tx.dialect.forUpdate}`);
  // Only a statement after the lock sees what the sweep has enqueued before it.
  const settled = await tx.run(
    sql`UPDATE "objects" SET "node" = NULL WHERE "id" = ${id} AND "state" = 'permanent'
      AND NOT EXISTS (SELECT 1 FROM "deletions" WHERE "objectId" = "objects"."id")`,
  );
  return settled === 1;
};

/**
 * In the transaction that gives a staged object to an upload. False: the sweep has taken it from a node that seemed to have
 * ended.
 */
export const holdStaged = async (tx: Transaction, id: ObjectId): Promise<boolean> => {
  await tx.get(sql`SELECT "id" FROM "objects" WHERE "id" = ${id} ${tx.dialect.forUpdate}`);
  // As in `settleObject`.
  const row = await tx.get(
    sql`SELECT "id" FROM "objects" WHERE "id" = ${id}
      AND NOT EXISTS (SELECT 1 FROM "deletions" WHERE "objectId" = "objects"."id")`,
  );
  return row !== undefined;
};

/** Where the objects with rows are; null: there are none. All are in one place. */
export const placeOfObjects = async (records: Sql): Promise<'files' | 'chunks' | null> => {
  const row = await records.get<{ chunks: number | null }>(sql`SELECT "chunks" FROM "objects" LIMIT 1`);
  if (row === undefined) return null;
  return row.chunks === null ? 'files' : 'chunks';
};

export const createObjectRows = ({ records, clock, node, durable }: ObjectRowsDeps): ObjectRows => {
  const options = { durable };
  const write = (query: Query): Promise<number> =>
    durable ? records.run(query) : records.transaction((tx) => tx.run(query), options);

  const masterKeys = async (from: Sql): Promise<readonly string[]> => {
    const rows = await from.all<{ keyId: string }>(sql`SELECT "keyId" FROM "masterKeys" ORDER BY "usedSince"`);
    return rows.map(({ keyId }) => keyId);
  };

  /** Read key by key from the index, however many objects there are. */
  const neededKeys = async (from: Sql): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let last: string | null = ''; last !== null; ) {
      const row: { next: string | null } | undefined = await from.get(
        sql`SELECT min("keyId") AS "next" FROM "objects" WHERE "keyId" > ${last}`,
      );
      last = row?.next ?? null;
      if (last !== null) ids.push(last);
    }
    return ids;
  };

  /** Abandoned while the records were away. */
  const unmarked = new Set<ObjectId>();

  const abandon = async (id: ObjectId): Promise<void> => {
    try {
      await write(
        sql`UPDATE "objects" SET "node" = ${ABANDONED}, "stagedAt" = ${clock.now()}
          WHERE "id" = ${id} AND "node" IS NOT NULL`,
      );
    } catch {
      unmarked.add(id);
    }
  };

  const byId = (id: ObjectId): Promise<ObjectRow | undefined> =>
    records.get<ObjectRow>(sql`SELECT ${COLUMNS} FROM "objects" WHERE "id" = ${id}`);

  return {
    byId,
    isKept: async (id) =>
      (await records.get(
        sql`SELECT "id" FROM "objects" WHERE "id" = ${id}
          AND NOT EXISTS (SELECT 1 FROM "deletions" WHERE "objectId" = "objects"."id")`,
      )) !== undefined,
    insert: async ({ id, size, chunks, header, keyId, wrappedKey }) => {
      await write(
        sql`INSERT INTO "objects"
            ("id", "state", "size", "chunks", "header", "keyId", "wrappedKey", "node", "stagedAt")
          VALUES (${id}, 'staged', ${size}, ${chunks}, ${header}, ${keyId}, ${wrappedKey}, ${node}, ${clock.now()})`,
      );
    },
    reserve: async (id, chunks) => {
      await write(sql`UPDATE "objects" SET "chunks" = ${chunks}, "stagedAt" = ${clock.now()} WHERE "id" = ${id}`);
    },
    keepAlive: (id) => {
      let touched = clock.now();
      return async () => {
        const now = clock.now();
        if (ageMs(touched, now) < TOUCH_MS) return;
        touched = now;
        await write(sql`UPDATE "objects" SET "stagedAt" = ${now} WHERE "id" = ${id}`);
      };
    },
    finish: async (id, size, header) => {
      await write(
        sql`UPDATE "objects" SET "size" = ${size}, "header" = ${header}, "stagedAt" = ${clock.now()} WHERE "id" = ${id}`,
      );
    },
    makePermanent: async (id) => {
      const changed = await write(
        sql`UPDATE "objects" SET "state" = 'permanent', "stagedAt" = ${clock.now()}
          WHERE "id" = ${id} AND "state" = 'staged'`,
      );
      return changed > 0 || (await byId(id))?.state === 'permanent';
    },
    remove: async (id) => void (await write(sql`DELETE FROM "objects" WHERE "id" = ${id}`)),
    disown: async () => void (await records.run(sql`UPDATE "objects" SET "node" = ${ENDED} WHERE "node" = ${node}`)),
    adopt: (files) =>
      records.transaction(async (tx) => {
        const now = clock.now();
        for (const { id, state } of files) {
          await tx.run(
            sql`INSERT INTO "objects" ("id", "state", "node", "stagedAt") VALUES (${id}, ${state}, ${ENDED}, ${now})
              ON CONFLICT ("id") DO NOTHING`,
          );
        }
      }, options),
    awaited: async () => {
      const rows = await records.all<{ id: ObjectId }>(
        sql`SELECT "objects"."id" FROM "uploads" JOIN "objects" ON "objects"."id" = "uploads"."objectId"
          WHERE "uploads"."state" = 'UPLOADING' AND "objects"."state" = 'staged'
            AND NOT EXISTS (SELECT 1 FROM "content" WHERE "objectId" = "objects"."id")`,
      );
      return rows.map(({ id }) => id);
    },
    abandon,
    settle: async () => {
      for (const id of [...unmarked]) {
        unmarked.delete(id);
        await abandon(id);
      }
      await write(
        sql`UPDATE "objects" SET "node" = NULL WHERE "node" IS NOT NULL AND "state" = 'permanent'
          AND (EXISTS (SELECT 1 FROM "content" WHERE "objectId" = "objects"."id")
            OR EXISTS (SELECT 1 FROM "content" WHERE "previewId" = "objects"."id"))`,
      );
    },
    enqueueOrphans: (before, abandonedBefore) =>
      records.transaction(async (tx) => {
        // An object whose item is being published is locked; the next sweep looks at it again.
        const orphans = await tx.all<{ id: ObjectId }>(
          sql`SELECT "id" FROM "objects" WHERE "node" IS NOT NULL AND ${UNOWNED}
              AND ("node" = ${ENDED} OR ("node" = ${ABANDONED} AND "stagedAt" < ${abandonedBefore}) OR "stagedAt" < ${before})
            ${tx.dialect.skipLocked}`,
        );
        let count = 0;
        for (const { id } of orphans) {
          count += await tx.run(
            sql`INSERT INTO "deletions" ("objectId", "attempts", "dueAt")
              SELECT "id", 0, CAST(${clock.now()} AS BIGINT) FROM "objects"
              WHERE "id" = ${id} AND "node" IS NOT NULL AND ${UNOWNED}
              ON CONFLICT ("objectId") DO NOTHING`,
          );
        }
        return count;
      }),
    owned: async (ids) => {
      const found = await Promise.all(
        OWNERS.map(({ column, rows }) =>
          records.all<{ id: ObjectId }>(
            sql`SELECT ${raw(column)} AS "id" FROM ${raw(rows)} AND ${raw(column)} IN (${join(ids)})`,
          ),
        ),
      );
      return new Set(found.flat().map(({ id }) => id));
    },
    pageOfItems: (after, limit) => {
      // Each part is read from its index, however many items there are.
      const parts = ITEMS.map(
        ({ column, rows }) =>
          sql`SELECT * FROM (SELECT ${raw(column)} AS "id" FROM ${raw(rows)} AND ${raw(column)} > ${after ?? ''}
            ORDER BY ${raw(column)} LIMIT ${limit}) AS "part"`,
      );
      return records.all(
        sql`SELECT "needed"."id", "objects"."state" FROM (${join(parts, ' UNION ALL ')}) AS "needed"
          LEFT JOIN "objects" ON "objects"."id" = "needed"."id" ORDER BY "needed"."id" LIMIT ${limit}`,
      );
    },
    page: (after, limit) =>
      records.all<ObjectRow>(
        sql`SELECT ${COLUMNS} FROM "objects" WHERE "id" > ${after ?? ''} ORDER BY "id" LIMIT ${limit}`,
      ),
    rewrap: (changes) =>
      records.transaction(async (tx) => {
        let count = 0;
        for (const { before, keys } of changes) {
          count += await tx.run(
            sql`UPDATE "objects" SET "keyId" = ${keys.keyId}, "wrappedKey" = ${keys.wrappedKey}
              WHERE "id" = ${before.id} AND "keyId" IS NOT DISTINCT FROM ${before.keyId}`,
          );
        }
        return count;
      }),
    countByKey: async () => {
      const rows = await records.all<{ keyId: string | null; count: number }>(
        sql`SELECT "keyId", count(*) AS "count" FROM "objects" GROUP BY "keyId"`,
      );
      return new Map(rows.map(({ keyId, count }) => [keyId, count]));
    },
    masterKeys: () => masterKeys(records),
    registerMasterKey: (newest, known) =>
      records.transaction(async (tx) => {
        // Of two nodes that start with two keys the second one sees the first.
        if (tx.dialect.name === 'postgres') await tx.run(raw('LOCK TABLE "masterKeys" IN SHARE ROW EXCLUSIVE MODE'));
        const wanted = new Set([...(await masterKeys(tx)), ...(await neededKeys(tx))]);
        const missing = [...wanted].filter((id) => !known.includes(id));
        if (missing.length > 0) return missing;
        await tx.run(
          sql`INSERT INTO "masterKeys" ("keyId", "usedSince") VALUES (${newest}, ${clock.now()})
            ON CONFLICT ("keyId") DO NOTHING`,
        );
        return [];
      }),
    keepOnlyMasterKey: (keyId, check) =>
      records.transaction(async (tx) => {
        await check(tx);
        const others = (await neededKeys(tx)).some((id) => id !== keyId);
        if (others || (await tx.get(sql`SELECT "id" FROM "objects" WHERE "keyId" IS NULL LIMIT 1`)) !== undefined)
          return false;
        await tx.run(sql`DELETE FROM "masterKeys" WHERE "keyId" <> ${keyId}`);
        return true;
      }),
  };
};
