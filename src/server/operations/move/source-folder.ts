/**
 * Opens the data folder that `server move` copies: locks it against a server, reads its database in one transaction,
 * and authenticates each object that it reads. The database and the objects are never changed. Errors are sentences for
 * the operator.
 */
import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { open } from '../../../base/node/retrying-fs.ts';
import { systemRandom } from '../../clock-and-random.ts';
import { findDataFolder, lockDataFolder } from '../../data-folder.ts';
import { SCHEMA_VERSION, schemaVersionOf } from '../../database/open-sqlite-file.ts';
import { createKeyRing, type StoredKeys, type WrappedKeys } from '../../storage/key-ring.ts';
import { hasKeyCheck, openMasterKeys } from '../../storage/load-master-keys.ts';
import { objectPaths } from '../../storage/local-objects.ts';
import type { ObjectRow } from '../../storage/object-rows.ts';
import type { ObjectId } from '../../storage/object-store-interface.ts';
import { chunkInFile, chunksOf } from '../../storage/s3-chunks.ts';
import {
  DamagedObjectError,
  HEADER_BYTES,
  openSegment,
  SEGMENT_BYTES,
  segmentAt,
  storedSize,
} from '../../storage/sealed-format.ts';
import { hasPart } from '../../uploads/part-bitmap.ts';

/** An object that an item or an unfinished upload owns. */
export interface SourceObject {
  readonly id: ObjectId;
  /** As it is to be: a restored backup may have the whole file of an upload that is not finished in its database. */
  readonly state: ObjectRow['state'];
  /** The chunks that are there: all, or of an unfinished upload the confirmed parts. */
  has(chunk: number): boolean;
  readonly keys: StoredKeys;
}

/** `close` when done. */
export interface OpenedObject {
  /** Bytes of plaintext. */
  readonly size: number;
  readonly chunks: number;
  readonly header: Buffer;
  /** Encrypted with a master key, also where the folder has none yet. */
  readonly keys: WrappedKeys;
  /** A sealed chunk, after all of it was authenticated. Throws `DamagedObjectError`. */
  read(chunk: number): Promise<Buffer>;
  close(): Promise<void>;
}

export interface Source {
  /** For reading; it has one transaction open. */
  readonly database: Database.Database;
  /** The ids of the master keys that are configured, newest first. */
  readonly masterKeys: readonly string[];
  objects(): readonly SourceObject[];
  /** Throws `DamagedObjectError`, also when there is no file. */
  open(object: SourceObject): Promise<OpenedObject>;
  close(): void;
}

interface SourceOptions {
  readonly from: string;
  readonly keyFile: string | null;
  readonly keyText: string | null;
}

interface OwnedRow extends StoredKeys {
  readonly id: ObjectId;
  /** Of an unfinished upload. */
  readonly received: Buffer | null;
}

const OWNED = `
  SELECT owned."id", owned."received", "objects"."keyId", "objects"."wrappedKey" FROM (
    SELECT "objectId" AS "id", NULL AS "received" FROM "content" WHERE "objectId" IS NOT NULL
    UNION ALL SELECT "previewId", NULL FROM "content" WHERE "previewId" IS NOT NULL
    UNION ALL SELECT "objectId", "received" FROM "uploads"
      WHERE "state" IN ('UPLOADING', 'COMPLETING')
        AND "objectId" NOT IN (SELECT "objectId" FROM "content" WHERE "objectId" IS NOT NULL)
  ) AS owned LEFT JOIN "objects" ON "objects"."id" = owned."id" ORDER BY owned."id"`;

export const openSource = ({ from, keyFile, keyText }: SourceOptions): Source => {
  const data = resolve(from);
  const folder = findDataFolder(data, '--from');
  if (!hasKeyCheck(folder.objects)) {
    throw new Error(`No server has run on ${data} yet, so there is nothing to move.`);
  }
  const lock = lockDataFolder(
    folder.lock,
    `A server is running on ${data}; stop it, move, and then start servers on the new engines.`,
  );
  try {
    const database = new Database(folder.database, { readonly: true, fileMustExist: true });
    try {
      checkSchema(database);
      const masters = openMasterKeys({ data, objects: folder.objects, keyFile, keyText, log: () => {} });
      database.exec('BEGIN');
      const inChunks = database.prepare('SELECT 1 FROM "objects" WHERE "chunks" IS NOT NULL LIMIT 1').get();
      if (inChunks !== undefined) {
        throw new Error(`The files of ${data} are in an S3 store already; only a folder with its own files is moved.`);
      }
      const ring = createKeyRing(masters, systemRandom);
      return {
        database,
        masterKeys: ring.ids,
        objects: () =>
          database
            .prepare<[], OwnedRow>(OWNED)
            .all()
            .map(({ id, received, keyId, wrappedKey }) => ({
              id,
              state: received === null ? 'permanent' : 'staged',
              keys: { keyId, wrappedKey },
              has: (chunk) => received === null || hasPart(received, chunk),
            })),
        open: (object) => openObject(folder.objects, ring, object),
        close: () => {
          database.close();
          lock.release();
        },
      };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
};

const checkSchema = (database: Database.Database): void => {
  const version = schemaVersionOf(database);
  if (version === SCHEMA_VERSION) return;
  throw new Error(
    version > SCHEMA_VERSION
      ? `The data folder was written by a newer version (schema ${version}, known ${SCHEMA_VERSION}); use that version.`
      : `The data folder was written by an earlier version (schema ${version}, now ${SCHEMA_VERSION}); start a server of this version on it once, then move.`,
  );
};

const openObject = async (
  root: string,
  ring: ReturnType<typeof createKeyRing>,
  { id, keys: stored }: SourceObject,
): Promise<OpenedObject> => {
  const file = await openFile(root, id);
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    await readAll(file, header, 0);
    const { keys, size } = ring.open(id, header, stored);
    if (size === null) throw new DamagedObjectError(`Object ${id} was never finished.`);
    if ((await file.stat()).size !== storedSize(size)) throw new DamagedObjectError(`The file of object ${id} is cut.`);
    const { keyId, wrappedKey } = stored;
    const read = async (chunk: number): Promise<Buffer> => {
      const { position, bytes } = chunkInFile(size, chunk);
      const sealed = Buffer.allocUnsafe(bytes);
      await readAll(file, sealed, position);
      for (let at = 0; at < bytes; ) {
        const segment = segmentAt(((position + at - HEADER_BYTES) / RECORD_BYTES) * SEGMENT_BYTES, size);
        openSegment(keys.segments, segment, sealed.subarray(at, at + segment.bytes));
        at += segment.bytes;
      }
      return sealed;
    };
    return {
      ...{ size, chunks: chunksOf(size), header, read },
      keys:
        keyId !== null && wrappedKey !== null
          ? { keyId, wrappedKey }
          : await ring.rewrap(id, async () => header, stored),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** Of a segment that is not the last one. */
const RECORD_BYTES = segmentAt(0, SEGMENT_BYTES).bytes;

const openFile = async (root: string, id: ObjectId): Promise<FileHandle> => {
  const paths = objectPaths(root, id);
  for (const state of ['permanent', 'staged'] as const) {
    try {
      return await open(paths[state], 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new DamagedObjectError(`Object ${id} has no file.`);
};

/** Fills `buffer`; where the file ends before, the rest stays as it was, and is found to be damaged. */
const readAll = async (file: FileHandle, buffer: Buffer, position: number): Promise<void> => {
  for (let filled = 0; filled < buffer.length; ) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) return;
    filled += bytesRead;
  }
};
