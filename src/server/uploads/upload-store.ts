/**
 * The rows of resumable uploads, whose state changes only here. Cancelling or expiring an upload enqueues its object
 * for deletion in the same transaction. Also expires, reopens and removes uploads in the background.
 */

import type { MediaKind } from '../../api/detect-media-kind.ts';
import type { AccountId, ContentId, RequestKey, Sha256, UploadId } from '../../api/ids.ts';
import type { UploadState } from '../../api/resumable-upload.ts';
import { isDue } from '../../base/common/wall-clock.ts';
import type { Sql } from '../database/database-interface.ts';
import { empty, inLockOrder, raw, sql } from '../database/sql-template.ts';
import type { ServerDeps } from '../deps.ts';
import { serverBusy } from '../problem-details.ts';
import type { ObjectId } from '../storage/object-store-interface.ts';
import { idempotencyStore } from './idempotency.ts';
import { emptyBitmap, hasPart, withPart } from './part-bitmap.ts';

/** Times are milliseconds since 1970-01-01 UTC, sizes bytes. */
export interface UploadRow {
  readonly id: UploadId;
  readonly accountId: AccountId;
  readonly idempotencyKey: RequestKey;
  readonly objectId: ObjectId;
  readonly state: UploadState;
  /** Empty once its item is gone. */
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
  /** Null again once the upload has ended without an item, or its item is gone. */
  readonly completeDigest: string | null;
  readonly contentId: ContentId | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Of the completion that runs or ran last: the node, a colon and a number of its own. */
  readonly lease: string | null;
  /** Another node may take over afterwards. */
  readonly leaseUntil: number | null;
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
/** A lease is renewed three times in this time, so only a node that has ended or is cut off loses it. */
const LEASE_MS = 30_000;
/** A lease that is farther ahead was taken before the clock was set back: those of nodes differ by less. */
const AHEAD_MS = 15 * 60_000;
export const RENEW_LEASE_MS = LEASE_MS / 3;
const PENDING = raw(`"state" IN ('UPLOADING', 'COMPLETING')`);

/** The rows of uploads as they are; some may be past their time. */
export const uploadStore = (records: Sql) => {
  const { forUpdate, skipLocked } = records.dialect;

  /** Only what tells a repeat stays. */
  const emptyRow = async (id: UploadId): Promise<void> => {
    await records.run(sql`UPDATE "uploads" SET "filename" = '', "completeDigest" = NULL WHERE "id" = ${id}`);
    await records.run(sql`DELETE FROM "uploadHashes" WHERE "uploadId" = ${id}`);
  };

  return {
    byId: (id: UploadId): Promise<UploadRow | undefined> =>
      records.get<UploadRow>(sql`SELECT * FROM "uploads" WHERE "id" = ${id}`),
    /** In a transaction that decides about the upload. */
    lock: (id: UploadId): Promise<UploadRow | undefined> =>
      records.get<UploadRow>(sql`SELECT * FROM "uploads" WHERE "id" = ${id} ${forUpdate}`),
    byKey: (accountId: AccountId, key: RequestKey): Promise<UploadRow | undefined> =>
      records.get<UploadRow>(
        sql`SELECT * FROM "uploads" WHERE "accountId" = ${accountId} AND "idempotencyKey" = ${key}`,
      ),
    pendingOf: (accountId: AccountId): Promise<readonly UploadRow[]> =>
      records.all<UploadRow>(
        sql`SELECT * FROM "uploads" WHERE "accountId" = ${accountId} AND ${PENDING} ORDER BY "createdAt", "id"`,
      ),
    insert: async (upload: NewUpload, hashes: readonly Sha256[], now: number): Promise<UploadRow> => {
      const { id, accountId, idempotencyKey, objectId, filename, size, chunkCount, fingerprint, expiresAt } = upload;
      const row = await records.get<UploadRow>(
        sql`INSERT INTO "uploads" ("id", "accountId", "idempotencyKey", "objectId", "state", "filename", "size",
            "chunkCount", "fingerprint", "received", "createdAt", "expiresAt")
          VALUES (${id}, ${accountId}, ${idempotencyKey}, ${objectId}, 'UPLOADING', ${filename}, ${size},
            ${chunkCount}, ${fingerprint}, ${emptyBitmap(chunkCount)}, ${now}, ${expiresAt}) RETURNING *`,
      );
      if (row === undefined) throw new Error(`Upload ${id} is not there after its insertion.`);
      await records.run(
        sql`INSERT INTO "uploadHashes" ("uploadId", "hashes") VALUES (${id}, ${Buffer.from(hashes.join(''), 'hex')})`,
      );
      return row;
    },
    /** In a transaction. An upload that is no longer UPLOADING keeps its row, which is returned. */
    confirm: async ({ uploadId, index, length, mediaKind }: ConfirmedPart): Promise<UploadRow> => {
      const row = await records.get<UploadRow>(sql`SELECT * FROM "uploads" WHERE "id" = ${uploadId} ${forUpdate}`);
      if (row === undefined) throw new Error(`Upload ${uploadId} has lost its row.`);
      if (row.state !== 'UPLOADING' || hasPart(row.received, index)) return row;
      const changed: UploadRow = {
        ...row,
        received: withPart(row.received, index),
        receivedBytes: row.receivedBytes + length,
        mediaKind: row.mediaKind ?? (mediaKind === undefined ? null : JSON.stringify(mediaKind)),
      };
      await records.run(
        sql`UPDATE "uploads" SET "received" = ${changed.received}, "receivedBytes" = ${changed.receivedBytes},
          "mediaKind" = ${changed.mediaKind} WHERE "id" = ${uploadId}`,
      );
      return changed;
    },
    /** COMPLETING -> COMPLETED. In the transaction that inserts the item; throws when another node has taken over. */
    complete: async (id: UploadId, contentId: ContentId, lease: string, now: number): Promise<UploadRow> => {
      const row = await records.get<UploadRow>(
        sql`UPDATE "uploads" SET "state" = 'COMPLETED', "contentId" = ${contentId}, "endedAt" = ${now}
          WHERE "id" = ${id} AND "state" = 'COMPLETING' AND "lease" = ${lease} RETURNING *`,
      );
      if (row === undefined) throw serverBusy('Another server completes this upload; try again soon.');
      return row;
    },
    /**
     * False: its state has changed since the row was seen. An upload that is being completed is cancelled by that
     * completion alone, and does not expire.
     */
    end: async (id: UploadId, state: 'CANCELLED' | 'EXPIRED', now: number, lease: string | null): Promise<boolean> => {
      const due = state === 'EXPIRED' ? sql`AND "expiresAt" <= ${now}` : empty;
      const where =
        lease === null ? sql`"state" = 'UPLOADING' ${due}` : sql`"state" = 'COMPLETING' AND "lease" = ${lease}`;
      const changed = await records.run(
        sql`UPDATE "uploads" SET "state" = ${state}, "endedAt" = ${now}, "completeDigest" = NULL
          WHERE "id" = ${id} AND ${where}`,
      );
      if (changed === 0) return false;
      await records.run(sql`DELETE FROM "uploadHashes" WHERE "uploadId" = ${id}`);
      return true;
    },
    /** In the transaction after which the item of this object is gone. */
    forget: async (objectId: ObjectId): Promise<void> => {
      const row = await records.get<{ id: UploadId }>(sql`SELECT "id" FROM "uploads" WHERE "objectId" = ${objectId}`);
      if (row !== undefined) await emptyRow(row.id);
    },
    /**
     * In a transaction. Empties those among `count` uploads after the upload `after` whose item an earlier version has
     * deleted, or let expire, alone. Resolves with the last upload it has looked at; null: there are no more.
     */
    forgetEarlier: async (after: string, count: number): Promise<string | null> => {
      const next = sql`SELECT "id" FROM "uploads" WHERE "id" > ${after} ORDER BY "id" LIMIT ${count}`;
      const seen = await records.get<{ last: string | null }>(sql`SELECT max("id") AS "last" FROM (${next}) AS "next"`);
      const last = seen?.last ?? null;
      if (last === null) return null;
      const left = await records.all<{ id: UploadId }>(
        sql`SELECT "id" FROM "uploads" WHERE "id" > ${after} AND "id" <= ${last}
          AND "state" = 'COMPLETED' AND "completeDigest" IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM "content" WHERE "content"."id" = "contentId" AND "content"."objectId" IS NOT NULL)
          ORDER BY "id" ${skipLocked}`,
      );
      for (const { id } of left) await emptyRow(id);
      return last;
    },
  };
};

export type UploadStore = ReturnType<typeof createUploads>;

export const createUploads = ({
  records,
  clock,
  sharedClock,
  random,
  node,
  deletions,
}: Pick<ServerDeps, 'records' | 'clock' | 'sharedClock' | 'random' | 'node' | 'deletions'>) => {
  const ownPrefix = `${node}:`;
  const rows = uploadStore(records);

  const read = async (id: UploadId): Promise<UploadRow> => {
    const row = await rows.byId(id);
    if (row === undefined) throw new Error(`Upload ${id} has lost its row.`);
    return row;
  };

  const end = async (
    { id, objectId }: UploadRow,
    state: 'CANCELLED' | 'EXPIRED',
    lease: string | null = null,
  ): Promise<UploadRow> => {
    await records.transaction(async (tx) => {
      if (await uploadStore(tx).end(id, state, clock.now(), lease)) await deletions.enqueue(tx, objectId);
    });
    return await read(id);
  };

  const isExpired = (row: UploadRow): boolean => row.state === 'UPLOADING' && row.expiresAt <= clock.now();

  const current = async (row: UploadRow | undefined): Promise<UploadRow | undefined> =>
    row !== undefined && isExpired(row) ? await end(row, 'EXPIRED') : row;

  return {
    /** In its current state: an upload past its time is EXPIRED at the next read. */
    byId: async (id: UploadId): Promise<UploadRow | undefined> => await current(await rows.byId(id)),
    byKey: async (accountId: AccountId, key: RequestKey): Promise<UploadRow | undefined> =>
      await current(await rows.byKey(accountId, key)),
    pendingOf: async (accountId: AccountId): Promise<readonly UploadRow[]> => {
      const pending: UploadRow[] = [];
      for (const row of await rows.pendingOf(accountId)) {
        const now = await current(row);
        if (now !== undefined && now.state !== 'EXPIRED') pending.push(now);
      }
      return pending;
    },
    /** SHA-256 of part `index` by the manifest; undefined when the upload has ended without an item, or its item is gone. */
    hashOf: async (id: UploadId, index: number): Promise<Buffer | undefined> => {
      const row = await records.get<{ hash: Buffer }>(
        sql`SELECT substr("hashes", CAST(${index * HASH_BYTES + 1} AS INTEGER), ${raw(String(HASH_BYTES))}) AS "hash"
          FROM "uploadHashes" WHERE "uploadId" = ${id}`,
      );
      return row?.hash;
    },
    /** Records parts in one commit. An upload that is no longer UPLOADING keeps its row, which is returned. */
    confirm: (parts: readonly ConfirmedPart[]): Promise<readonly UploadRow[]> =>
      records.transaction(async (tx) => {
        const own = uploadStore(tx);
        const confirmed = new Map<ConfirmedPart, UploadRow>();
        for (const part of inLockOrder(parts, ({ uploadId }) => uploadId)) confirmed.set(part, await own.confirm(part));
        return parts.flatMap((part) => confirmed.get(part) ?? []);
      }),
    /** Whether another node completes the upload and has not ended. */
    isLeased: ({ state, lease, leaseUntil }: UploadRow): boolean =>
      state === 'COMPLETING' &&
      lease !== null &&
      !lease.startsWith(ownPrefix) &&
      !isDue(leaseUntil ?? 0, sharedClock.now(), AHEAD_MS),
    /**
     * UPLOADING, or COMPLETING without a lease in force -> COMPLETING. Resolves with the new lease; null if the row has
     * changed since it was seen.
     */
    beginCompleting: async (seen: UploadRow, key: RequestKey, digest: string): Promise<string | null> => {
      const lease = `${ownPrefix}${random.uuid()}`;
      const changed = await records.run(
        sql`UPDATE "uploads" SET "state" = 'COMPLETING', "completeKey" = ${key}, "completeDigest" = ${digest},
            "lease" = ${lease}, "leaseUntil" = ${sharedClock.now() + LEASE_MS}
          WHERE "id" = ${seen.id} AND "state" = ${seen.state}
            AND "lease" IS NOT DISTINCT FROM CAST(${seen.lease} AS TEXT)`,
      );
      return changed === 1 ? lease : null;
    },
    /** The completion still runs. */
    renew: async (id: UploadId, lease: string): Promise<void> => {
      await records.run(
        sql`UPDATE "uploads" SET "leaseUntil" = ${sharedClock.now() + LEASE_MS}
          WHERE "id" = ${id} AND "state" = 'COMPLETING' AND "lease" = ${lease}`,
      );
    },
    /** COMPLETING -> UPLOADING: the completion failed and may be retried. */
    reopen: async (id: UploadId, lease: string): Promise<void> => {
      await records.run(
        sql`UPDATE "uploads" SET "state" = 'UPLOADING'
          WHERE "id" = ${id} AND "state" = 'COMPLETING' AND "lease" = ${lease}`,
      );
    },
    /**
     * -> CANCELLED or EXPIRED, and the bytes are deleted; the row tells whether that was still possible. A completion
     * gives its lease.
     */
    end,
    expireDue: async (): Promise<void> => {
      const due = await records.all<UploadRow>(
        sql`SELECT * FROM "uploads" WHERE "state" = 'UPLOADING' AND "expiresAt" <= ${clock.now()}`,
      );
      for (const row of due) await end(row, 'EXPIRED');
    },
    /** At start: an earlier process of this node has published none of what it was completing, since both are one commit. */
    reopenOwn: async (): Promise<void> => {
      await records.run(
        sql`UPDATE "uploads" SET "state" = 'UPLOADING' WHERE "state" = 'COMPLETING'
          AND ("lease" IS NULL OR substr("lease", 1, CAST(${ownPrefix.length} AS INTEGER)) = ${ownPrefix})`,
      );
    },
    /**
     * Reopens uploads, or the one with `id`, whose completion has not renewed its lease for two lease times: its node has
     * ended and need not return, or could not reopen it. If it still runs, it finds its lease gone and publishes nothing.
     */
    reopenLost: async (id?: UploadId): Promise<void> => {
      const which = id === undefined ? empty : sql`AND "id" = ${id}`;
      await records.run(
        sql`UPDATE "uploads" SET "state" = 'UPLOADING'
          WHERE "state" = 'COMPLETING' AND ("leaseUntil" <= ${sharedClock.now() - LEASE_MS}
            OR "leaseUntil" > ${sharedClock.now() + AHEAD_MS}) ${which}`,
      );
    },
    /** Removes uploads that ended before `instant`; their Idempotency-Keys are free again. */
    purgeEnded: (instant: number): Promise<number> =>
      records.run(sql`DELETE FROM "uploads" WHERE "endedAt" <= ${instant}`),
  };
};

// Expires pending uploads, and removes ended ones and the records of single requests after the lifetime of their
// Idempotency-Key.

const EVERY_MS = 30_000;

/** Runs once, then starts the timer; the result stops it. A node without background jobs leaves it to others. */
export const startUploadMaintenance = async (
  store: UploadStore,
  { records, clock, config, log, runsJobs }: Pick<ServerDeps, 'records' | 'clock' | 'config' | 'log' | 'runsJobs'>,
): Promise<() => Promise<void>> => {
  if (!runsJobs) return async () => {};
  const tend = async (): Promise<void> => {
    try {
      await store.reopenLost();
      await store.expireDue();
      await store.purgeEnded(clock.now() - config.limits.idempotencySeconds * 1_000);
      await idempotencyStore(records, { clock, config }).purge();
    } catch (error) {
      log(`Tending the uploads failed and will be tried again: ${String(error)}`, { level: 'warn' });
    }
  };
  let running = tend();
  await running;
  const timer = setInterval(() => {
    running = running.then(tend);
  }, EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
};
