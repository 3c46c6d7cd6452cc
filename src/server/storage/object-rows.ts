/**
 * The rows of objects. A row is written before the first byte of its object and deleted after the last, so whatever a
 * killed server leaves behind is found by its row. An object is settled once an item owns it: from then on only the
 * deletion queue removes it.
 */
import type Database from 'better-sqlite3';
import type { Clock } from '../clock-and-random.ts';
import type { StoredKeys, WrappedKeys } from './key-ring.ts';
import type { ObjectId } from './object-store.ts';

/** Sizes are bytes of plaintext, times milliseconds since 1970-01-01 UTC. */
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
  /** Before the first byte. Rejects when there is a row. */
  insert(row: NewObject): Promise<void>;
  /** Before chunks up to `chunks` are written; also says that the object is alive. */
  reserve(id: ObjectId, chunks: number): Promise<void>;
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
  /** Where the objects with rows are; null: there are none. All are in one place. */
  place(): Promise<'files' | 'chunks' | null>;
  /** Objects that an item owns are settled. */
  settle(): Promise<void>;
  /**
   * Adds unsettled objects that nothing owns to the deletion queue: those of ended servers, and those untouched since
   * `before`. Resolves with their number.
   */
  enqueueOrphans(before: number): Promise<number>;

  /** Up to `limit` rows in the order of their ids. */
  page(after: ObjectId | null, limit: number): Promise<readonly ObjectRow[]>;
  /** Writes keys that were wrapped again; a row that has changed or gone meanwhile stays. Resolves with their number. */
  rewrap(changes: readonly { readonly before: ObjectRow; readonly keys: WrappedKeys }[]): Promise<number>;
  /** Rows by the master key that they need; null: rows without a wrapped key. */
  countByKey(): Promise<ReadonlyMap<string | null, number>>;
  /** The master keys that something stored may need. */
  masterKeys(): Promise<readonly string[]>;
  addMasterKey(keyId: string): Promise<void>;
  /** Forgets all master keys but this one, if no row needs another one. False: some row does. */
  keepOnlyMasterKey(keyId: string): Promise<boolean>;
}

/** No pending upload and no item has the object, and the deletion queue does not know it. */
const UNOWNED = `NOT EXISTS (SELECT 1 FROM "uploads" WHERE "objectId" = "objects"."id" AND "state" IN ('UPLOADING', 'COMPLETING'))
   AND NOT EXISTS (SELECT 1 FROM "content" WHERE "objectId" = "objects"."id")
   AND NOT EXISTS (SELECT 1 FROM "content" WHERE "previewId" = "objects"."id")
   AND NOT EXISTS (SELECT 1 FROM "deletions" WHERE "objectId" = "objects"."id")`;

const COLUMNS = '"id", "state", "size", "chunks", "header", "keyId", "wrappedKey"';
/** The node of objects whose process has ended. */
const ENDED = '';

interface ObjectRowsDeps {
  readonly database: Database.Database;
  readonly clock: Clock;
  /** This node; no other process that runs at the same time has this name. */
  readonly node: string;
  /**
   * False for files in the folder of the database: rows are then not synced by themselves, because what a power cut
   * separates from its row is found at the next start, and the commit of the item syncs its row too.
   */
  readonly durable: boolean;
}

export const createObjectRows = ({ database, clock, node, durable }: ObjectRowsDeps): ObjectRows => {
  const byId = database.prepare<[ObjectId], ObjectRow>(`SELECT ${COLUMNS} FROM "objects" WHERE "id" = ?`);
  const insert = database.prepare(
    `INSERT INTO "objects" ("id", "state", "size", "chunks", "header", "keyId", "wrappedKey", "node", "stagedAt")
     VALUES (?, 'staged', ?, ?, ?, ?, ?, ?, ?)`,
  );
  const reserve = database.prepare('UPDATE "objects" SET "chunks" = ?, "stagedAt" = ? WHERE "id" = ?');
  const finish = database.prepare('UPDATE "objects" SET "size" = ?, "header" = ?, "stagedAt" = ? WHERE "id" = ?');
  const makePermanent = database.prepare(
    `UPDATE "objects" SET "state" = 'permanent', "stagedAt" = ? WHERE "id" = ? AND "state" = 'staged'`,
  );
  const remove = database.prepare('DELETE FROM "objects" WHERE "id" = ?');
  const anyChunks = database.prepare<[], { chunks: number | null }>('SELECT "chunks" FROM "objects" LIMIT 1');
  const disown = database.prepare(`UPDATE "objects" SET "node" = '${ENDED}' WHERE "node" = ?`);
  const adopt = database.prepare(
    `INSERT INTO "objects" ("id", "state", "node", "stagedAt") VALUES (?, ?, '${ENDED}', ?) ON CONFLICT ("id") DO NOTHING`,
  );
  const settle = database.prepare(
    `UPDATE "objects" SET "node" = NULL WHERE "node" IS NOT NULL AND "state" = 'permanent'
       AND (EXISTS (SELECT 1 FROM "content" WHERE "objectId" = "objects"."id")
         OR EXISTS (SELECT 1 FROM "content" WHERE "previewId" = "objects"."id"))`,
  );
  const enqueueOrphans = database.prepare(
    `INSERT INTO "deletions" ("objectId", "attempts", "dueAt")
     SELECT "id", 0, CAST(? AS BIGINT) FROM "objects"
     WHERE "node" IS NOT NULL AND ("node" = '${ENDED}' OR "stagedAt" < ?) AND ${UNOWNED}
     ON CONFLICT ("objectId") DO NOTHING`,
  );
  const page = database.prepare<[string, number], ObjectRow>(
    `SELECT ${COLUMNS} FROM "objects" WHERE "id" > ? ORDER BY "id" LIMIT ?`,
  );
  const rewrap = database.prepare(
    'UPDATE "objects" SET "keyId" = ?, "wrappedKey" = ? WHERE "id" = ? AND "keyId" IS NOT DISTINCT FROM ?',
  );
  const countByKey = database.prepare<[], { keyId: string | null; count: number }>(
    'SELECT "keyId", count(*) AS "count" FROM "objects" GROUP BY "keyId"',
  );
  const masterKeys = database.prepare<[], { keyId: string }>('SELECT "keyId" FROM "masterKeys" ORDER BY "usedSince"');
  const addMasterKey = database.prepare(
    'INSERT INTO "masterKeys" ("keyId", "usedSince") VALUES (?, ?) ON CONFLICT ("keyId") DO NOTHING',
  );
  const othersNeeded = database.prepare<[string]>(
    'SELECT 1 FROM "objects" WHERE "keyId" IS NULL OR "keyId" <> ? LIMIT 1',
  );
  const dropMasterKeys = database.prepare('DELETE FROM "masterKeys" WHERE "keyId" <> ?');

  /** A commit that the next durable one makes durable too: the log of SQLite is written in order. */
  const write = <T>(run: () => T): T => {
    if (durable) return run();
    database.pragma('synchronous = NORMAL');
    try {
      return run();
    } finally {
      database.pragma('synchronous = FULL');
    }
  };

  return {
    byId: async (id) => byId.get(id),
    insert: async ({ id, size, chunks, header, keyId, wrappedKey }) =>
      void write(() => insert.run(id, size, chunks, header, keyId, wrappedKey, node, clock.now())),
    reserve: async (id, chunks) => void write(() => reserve.run(chunks, clock.now(), id)),
    finish: async (id, size, header) => void write(() => finish.run(size, header, clock.now(), id)),
    makePermanent: async (id) =>
      write(() => makePermanent.run(clock.now(), id)).changes > 0 || byId.get(id)?.state === 'permanent',
    remove: async (id) => void write(() => remove.run(id)),
    place: async () => {
      const row = anyChunks.get();
      return row === undefined ? null : row.chunks === null ? 'files' : 'chunks';
    },
    disown: async () => void disown.run(node),
    adopt: async (files) => {
      const now = clock.now();
      const all = database.transaction(() => {
        for (const { id, state } of files) adopt.run(id, state, now);
      });
      write(() => all.immediate());
    },
    settle: async () => void write(() => settle.run()),
    enqueueOrphans: async (before) => enqueueOrphans.run(clock.now(), before).changes,
    page: async (after, limit) => page.all(after ?? '', limit),
    rewrap: async (changes) => {
      const all = database.transaction(() =>
        changes.reduce(
          (count, { before, keys }) => count + rewrap.run(keys.keyId, keys.wrappedKey, before.id, before.keyId).changes,
          0,
        ),
      );
      return all.immediate();
    },
    countByKey: async () => new Map(countByKey.all().map(({ keyId, count }) => [keyId, count])),
    masterKeys: async () => masterKeys.all().map(({ keyId }) => keyId),
    addMasterKey: async (keyId) => void addMasterKey.run(keyId, clock.now()),
    keepOnlyMasterKey: async (keyId) => {
      const all = database.transaction((): boolean => {
        if (othersNeeded.get(keyId) !== undefined) return false;
        dropMasterKeys.run(keyId);
        return true;
      });
      return all.immediate();
    },
  };
};
