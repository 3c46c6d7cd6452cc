/**
 * Copies the objects of a data folder into the S3 store in their encrypted form, and compares every byte. The row of an
 * object is written before its first byte and becomes permanent after the last one, so a repeated move copies only the
 * objects that are not complete, and of the others the wrapped key, which `keys rotate` may have changed in the folder.
 */
import { type Clock, systemClock } from '../../clock-and-random.ts';
import type { ServerDatabase, Transaction } from '../../database/database-interface.ts';
import { sql } from '../../database/sql-template.ts';
import { createObjectRows, type ObjectRow } from '../../storage/object-rows.ts';
import type { ObjectId } from '../../storage/object-store-interface.ts';
import { getStored, keyOf, putStored, removeStored } from '../../storage/s3-chunks.ts';
import type { S3Client } from '../../storage/s3-client.ts';
import { DamagedObjectError } from '../../storage/sealed-format.ts';
import { createProgress, sizeText } from '../progress-lines.ts';
import type { OpenedObject, Source, SourceObject } from './source-folder.ts';

/** The node of rows whose move is not finished; servers leave them alone for a day. */
const NODE = 'move';
const AT_ONCE = 8;
const PAGE = 500;

interface CopyDeps {
  readonly source: Source;
  readonly target: ServerDatabase;
  readonly client: S3Client;
  /** Progress, a sentence a line. */
  readonly log: (line: string) => void;
  readonly clock?: Clock;
}

interface CopiedObjects {
  readonly objects: number;
  /** Bytes as stored, of all objects. */
  readonly bytes: number;
  /** Objects that this run has written; earlier runs have written the others. */
  readonly written: number;
  /** Objects whose file is missing or damaged in the folder. */
  readonly damaged: readonly ObjectId[];
}

export const createObjectCopies = ({ source, target, client, log, clock = systemClock }: CopyDeps) => {
  const rows = createObjectRows({ records: target, clock, node: NODE, durable: true });

  /** States by id. */
  const known = async (): Promise<Map<ObjectId, ObjectRow>> => {
    const all = new Map<ObjectId, ObjectRow>();
    for (let page = await rows.page(null, PAGE); page.length > 0; ) {
      for (const row of page) all.set(row.id, row);
      page = await rows.page(page.at(-1)?.id ?? null, PAGE);
    }
    return all;
  };

  /** Removes what an interrupted move has copied and the folder has deleted since. */
  const removeOthers = async (objects: readonly SourceObject[]): Promise<void> => {
    const wanted = new Set(objects.map(({ id }) => id));
    for (const row of (await known()).values()) {
      if (wanted.has(row.id)) continue;
      for (let chunk = 0; chunk < (row.chunks ?? 0); chunk += 1) await removeStored(client, keyOf(row.id, chunk));
      await rows.remove(row.id);
    }
  };

  const put = async (object: SourceObject, opened: OpenedObject): Promise<void> => {
    for (let chunk = 0; chunk < opened.chunks; chunk += 1) {
      if (object.has(chunk)) await putStored(client, keyOf(object.id, chunk), await opened.read(chunk));
    }
  };

  const copyOne = async (object: SourceObject, opened: OpenedObject, row: ObjectRow | undefined): Promise<void> => {
    const { id } = object;
    const { size, chunks, header, keys } = opened;
    if (row === undefined) await rows.insert({ id, size, chunks, header, ...keys });
    await put(object, opened);
    if (object.state === 'permanent') await rows.makePermanent(id);
  };

  /** What an earlier run has written needs the master key that the object needs in the folder now. */
  const updateKeys = async ({ keys }: OpenedObject, before: ObjectRow): Promise<void> => {
    if (before.keyId !== keys.keyId) await rows.rewrap([{ before, keys }]);
  };

  /** Writes again what the store has lost or changed; throws when it does so twice. */
  const checkOne = async ({ id, has }: SourceObject, opened: OpenedObject): Promise<number> => {
    let bytes = 0;
    for (let chunk = 0; chunk < opened.chunks; chunk += 1) {
      if (!has(chunk)) continue;
      const [key, sealed] = [keyOf(id, chunk), await opened.read(chunk)];
      bytes += sealed.length;
      if ((await getStored(client, key))?.equals(sealed)) continue;
      await putStored(client, key, sealed);
      if (!(await getStored(client, key))?.equals(sealed)) {
        throw new Error(`The object store does not return what was written as ${key}; check the store, then repeat.`);
      }
    }
    return bytes;
  };

  /** Runs `use` on every object; resolves with those whose file is damaged. */
  const forEach = async (
    objects: readonly SourceObject[],
    use: (object: SourceObject, opened: OpenedObject) => Promise<void>,
  ): Promise<readonly ObjectId[]> => {
    const damaged: ObjectId[] = [];
    let next = 0;
    let isFailed = false;
    const work = async (): Promise<void> => {
      for (let object = objects[next++]; object !== undefined && !isFailed; object = objects[next++]) {
        try {
          const opened = await source.open(object);
          try {
            await use(object, opened);
          } finally {
            await opened.close();
          }
        } catch (error) {
          if (error instanceof DamagedObjectError) damaged.push(object.id);
          else {
            isFailed = true;
            throw error;
          }
        }
      }
    };
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
    return damaged.sort();
  };

  return {
    /** Copies what is not there yet. */
    copy: async (): Promise<Pick<CopiedObjects, 'written' | 'damaged'>> => {
      const objects = source.objects();
      await removeOthers(objects);
      const before = await known();
      const progress = createProgress(log);
      let [done, written, bytes] = [0, 0, 0];
      const damaged = await forEach(objects, async (object, opened) => {
        const row = before.get(object.id);
        if (row !== undefined) await updateKeys(opened, row);
        if (row?.state !== 'permanent') {
          await copyOne(object, opened, row);
          written += 1;
        }
        [done, bytes] = [done + 1, bytes + opened.size];
        progress.step(() => `Copied ${done} of ${objects.length} objects (${sizeText(bytes)}).`);
      });
      return { written, damaged };
    },

    /** Compares all objects byte for byte with the folder, and finds those whose file cannot be compared. */
    check: async (): Promise<Pick<CopiedObjects, 'objects' | 'bytes' | 'damaged'>> => {
      const objects = source.objects();
      const progress = createProgress(log);
      let [done, bytes] = [0, 0];
      const damaged = await forEach(objects, async (object, opened) => {
        bytes += await checkOne(object, opened);
        done += 1;
        progress.step(() => `Checked ${done} of ${objects.length} objects (${sizeText(bytes)}).`);
      });
      return { objects: done, bytes, damaged };
    },

    /**
     * In the transaction that copies the tables: from now on the objects, `expected` or more, belong to their items and
     * uploads.
     */
    settle: async (tx: Transaction, expected: number): Promise<void> => {
      // A server that has run since an earlier attempt may have taken the objects for abandoned ones.
      await tx.run(
        sql`DELETE FROM "deletions" WHERE "objectId" IN (SELECT "id" FROM "objects" WHERE "node" = ${NODE})`,
      );
      const owned = await tx.run(
        sql`UPDATE "objects" SET "node" = NULL WHERE "node" = ${NODE} AND "state" = 'permanent'`,
      );
      // Of uploads that go on: no process answers for them.
      const staged = await tx.run(sql`UPDATE "objects" SET "node" = '' WHERE "node" = ${NODE}`);
      if (owned + staged < expected) throw new Error('Copied objects were deleted during the move; repeat it.');
      for (const keyId of source.masterKeys) {
        await tx.run(
          sql`INSERT INTO "masterKeys" ("keyId", "usedSince") VALUES (${keyId}, ${clock.now()})
            ON CONFLICT ("keyId") DO NOTHING`,
        );
      }
    },

    /** The master keys of servers that have run on the database. */
    masterKeys: () => rows.masterKeys(),
  };
};
