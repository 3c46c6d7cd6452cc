/**
 * The rows of resumable uploads. Their state changes only here, and a change that ends an upload enqueues its object
 * for deletion in the same transaction.
 */

import type { AccountId, ContentId, RequestKey, Sha256, UploadId } from '../../api/ids.ts';
import type { MediaKind } from '../../api/media-kind.ts';
import type { UploadState } from '../../api/upload.ts';
import type { Clock } from '../clock-and-random.ts';
import type { ServerConfig } from '../config/config.ts';
import type { ServerDeps } from '../deps.ts';
import type { Log } from '../log.ts';
import type { ObjectId } from '../storage/object-store.ts';

/** Times are milliseconds since 1970-01-01 UTC, sizes bytes. */
export interface UploadRow {
  readonly id: UploadId;
  readonly accountId: AccountId;
  readonly idempotencyKey: RequestKey;
  readonly objectId: ObjectId;
  readonly state: UploadState;
  readonly filename: string;
  readonly size: number;
  readonly chunkCount: number;
  readonly fingerprint: Sha256;
  /** One bit a part, least significant first. */
  readonly received: Buffer;
  readonly receivedBytes: number;
  /** The detected type from the first part, as JSON; null before. */
  readonly mediaKind: string | null;
  /** Set with the first completion that reached COMPLETING. */
  readonly completeKey: RequestKey | null;
  readonly completeDigest: string | null;
  readonly contentId: ContentId | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When it was COMPLETED, CANCELLED or EXPIRED. */
  readonly endedAt: number | null;
}

export type NewUpload = Pick<
  UploadRow,
  'id' | 'accountId' | 'idempotencyKey' | 'objectId' | 'filename' | 'size' | 'chunkCount' | 'fingerprint' | 'expiresAt'
>;

/** A part whose bytes are on disk and whose row is about to be updated. */
export interface ConfirmedPart {
  readonly uploadId: UploadId;
  readonly index: number;
  readonly length: number;
  /** With part 0. */
  readonly mediaKind?: MediaKind;
}

const HASH_BYTES = 32;
const PENDING = `state IN ('UPLOADING', 'COMPLETING')`;

export type UploadStore = ReturnType<typeof createUploadStore>;

export const createUploadStore = ({
  database,
  clock,
  deletions,
}: Pick<ServerDeps, 'database' | 'clock' | 'deletions'>) => {
  const insert = database.prepare(
    `INSERT INTO uploads
       (id, accountId, idempotencyKey, objectId, state, filename, size, chunkCount, fingerprint, received, createdAt, expiresAt)
     VALUES
       (@id, @accountId, @idempotencyKey, @objectId, 'UPLOADING', @filename, @size, @chunkCount, @fingerprint, @received,
        @createdAt, @expiresAt)`,
  );
  const insertHashes = database.prepare<[UploadId, Buffer]>(
    'INSERT INTO uploadHashes (uploadId, hashes) VALUES (?, ?)',
  );
  const deleteHashes = database.prepare<[UploadId]>('DELETE FROM uploadHashes WHERE uploadId = ?');
  const selectHash = database
    .prepare<[number, UploadId]>(`SELECT substr(hashes, ?, ${HASH_BYTES}) FROM uploadHashes WHERE uploadId = ?`)
    .pluck();
  const selectById = database.prepare<[UploadId], UploadRow>('SELECT * FROM uploads WHERE id = ?');
  const selectByKey = database.prepare<[AccountId, RequestKey], UploadRow>(
    'SELECT * FROM uploads WHERE accountId = ? AND idempotencyKey = ?',
  );
  const selectPending = database.prepare<[AccountId], UploadRow>(
    `SELECT * FROM uploads WHERE accountId = ? AND ${PENDING} ORDER BY createdAt, id`,
  );
  const selectExpired = database.prepare<[number], UploadRow>(
    `SELECT * FROM uploads WHERE state = 'UPLOADING' AND expiresAt <= ?`,
  );
  const updateReceived = database.prepare(
    `UPDATE uploads SET received = @received, receivedBytes = receivedBytes + @length,
       mediaKind = coalesce(mediaKind, @mediaKind) WHERE id = @uploadId`,
  );
  const updateCompleting = database.prepare(
    `UPDATE uploads SET state = 'COMPLETING', completeKey = @key, completeDigest = @digest
     WHERE id = @id AND state = 'UPLOADING'`,
  );
  const updateReopened = database.prepare<[UploadId]>(
    `UPDATE uploads SET state = 'UPLOADING' WHERE id = ? AND state = 'COMPLETING'`,
  );
  const updateCompleted = database.prepare<[ContentId, number, UploadId]>(
    `UPDATE uploads SET state = 'COMPLETED', contentId = ?, endedAt = ? WHERE id = ? AND state = 'COMPLETING'`,
  );
  const updateEnded = database.prepare<[UploadState, number, UploadId]>(
    `UPDATE uploads SET state = ?, endedAt = ? WHERE id = ? AND ${PENDING}`,
  );
  const recover = database.prepare(`UPDATE uploads SET state = 'UPLOADING' WHERE state = 'COMPLETING'`);
  const purge = database.prepare<[number]>('DELETE FROM uploads WHERE endedAt <= ?');

  const read = (id: UploadId): UploadRow => {
    const row = selectById.get(id);
    if (row === undefined) throw new Error(`Upload ${id} has lost its row.`);
    return row;
  };

  const end = (row: UploadRow, state: 'CANCELLED' | 'EXPIRED'): void => {
    if (updateEnded.run(state, clock.now(), row.id).changes === 0) return;
    deleteHashes.run(row.id);
    deletions.enqueue(row.objectId);
  };

  /** Nothing expires while COMPLETING. */
  const current = (row: UploadRow | undefined): UploadRow | undefined => {
    if (row?.state !== 'UPLOADING' || row.expiresAt > clock.now()) return row;
    inTransaction(() => end(row, 'EXPIRED'));
    return read(row.id);
  };

  const inTransaction = <T>(work: () => T): T => database.transaction(work).immediate();

  return {
    inTransaction,
    /** In its current state: an upload past its time is EXPIRED at the next read. */
    byId: (id: UploadId): UploadRow | undefined => current(selectById.get(id)),
    byKey: (accountId: AccountId, key: RequestKey): UploadRow | undefined => current(selectByKey.get(accountId, key)),
    pendingOf: (accountId: AccountId): readonly UploadRow[] =>
      selectPending.all(accountId).filter((row) => current(row)?.state !== 'EXPIRED'),
    /** SHA-256 of part `index` by the manifest; undefined when the upload has ended without an item. */
    hashOf: (id: UploadId, index: number): Buffer | undefined =>
      selectHash.get(index * HASH_BYTES + 1, id) as Buffer | undefined,
    insert: (upload: NewUpload, hashes: readonly Sha256[]): UploadRow => {
      insert.run({ ...upload, received: emptyBitmap(upload.chunkCount), createdAt: clock.now() });
      insertHashes.run(upload.id, Buffer.from(hashes.join(''), 'hex'));
      return read(upload.id);
    },
    /** Records parts in one commit. An upload that is no longer UPLOADING keeps its row, which is returned. */
    confirm: (parts: readonly ConfirmedPart[]): readonly UploadRow[] =>
      inTransaction(() =>
        parts.map(({ uploadId, index, length, mediaKind }) => {
          const row = read(uploadId);
          if (row.state !== 'UPLOADING' || hasPart(row.received, index)) return row;
          updateReceived.run({
            uploadId,
            length,
            received: withPart(row.received, index),
            mediaKind: mediaKind === undefined ? null : JSON.stringify(mediaKind),
          });
          return read(uploadId);
        }),
      ),
    /** UPLOADING -> COMPLETING. False if it is in another state by now. */
    beginCompleting: (id: UploadId, key: RequestKey, digest: string): boolean =>
      updateCompleting.run({ id, key, digest }).changes === 1,
    /** COMPLETING -> UPLOADING: the completion failed and may be retried. */
    reopen: (id: UploadId): void => void updateReopened.run(id),
    /** COMPLETING -> COMPLETED. Call it in the transaction that inserts the item. */
    complete: (id: UploadId, contentId: ContentId): UploadRow => {
      if (updateCompleted.run(contentId, clock.now(), id).changes === 0)
        throw new Error(`Upload ${id} is not COMPLETING.`);
      return read(id);
    },
    /** -> CANCELLED or EXPIRED, and the bytes are deleted. */
    end: (row: UploadRow, state: 'CANCELLED' | 'EXPIRED'): UploadRow => {
      inTransaction(() => end(row, state));
      return read(row.id);
    },
    expireDue: (): readonly UploadRow[] => {
      const due = selectExpired.all(clock.now());
      if (due.length > 0) {
        inTransaction(() => {
          for (const row of due) end(row, 'EXPIRED');
        });
      }
      return due;
    },
    /** At start: a completion that a stopped server left behind was not published, since both are one commit. */
    recoverCompleting: (): number => recover.run().changes,
    /** Removes uploads that ended before `instant`; their Idempotency-Keys are free again. */
    purgeEnded: (instant: number): number => purge.run(instant).changes,
  };
};

// Expires pending uploads, and removes ended ones after the lifetime of their Idempotency-Key.

const EVERY_MS = 30_000;

/** Starts the timer; the result stops it. */
export const startUploadMaintenance = (
  store: UploadStore,
  { clock, config, log }: { readonly clock: Clock; readonly config: ServerConfig; readonly log: Log },
): (() => void) => {
  const tend = (): void => {
    try {
      store.expireDue();
      store.purgeEnded(clock.now() - config.limits.idempotencySeconds * 1_000);
    } catch (error) {
      log(`Tending the uploads failed and will be tried again: ${String(error)}`, { level: 'warn' });
    }
  };
  tend();
  const timer = setInterval(tend, EVERY_MS).unref();
  return () => clearInterval(timer);
};

// The bitmap of an upload's confirmed parts: one bit a part, least significant first.

export const emptyBitmap = (parts: number): Buffer => Buffer.alloc(Math.ceil(parts / 8));

export const hasPart = (bitmap: Uint8Array, index: number): boolean =>
  ((bitmap[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;

/** A copy with part `index` added. */
export const withPart = (bitmap: Uint8Array, index: number): Buffer => {
  const copy = Buffer.from(bitmap);
  copy[index >> 3] = (copy[index >> 3] ?? 0) | (1 << (index & 7));
  return copy;
};

/** The numbers of the confirmed (`present`) or unconfirmed (`missing`) parts, in order. */
export const partNumbers = (bitmap: Uint8Array, parts: number, which: 'present' | 'missing'): number[] => {
  const wanted = which === 'present';
  const numbers: number[] = [];
  for (let index = 0; index < parts; index += 1) if (hasPart(bitmap, index) === wanted) numbers.push(index);
  return numbers;
};
