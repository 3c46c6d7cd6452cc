/**
 * Deletes items: a deletion by the owner removes the row, an expiry keeps it without the bytes and without what the item
 * says. The same transaction releases the used storage, empties the upload of the item, and adds the objects, including
 * the preview, to the deletion queue.
 */

import type { AccountId } from '../../api/ids.ts';
import { type ContentRow, contentRows } from '../content/content-rows.ts';
import { storageUse } from '../content/storage-and-view-counters.ts';
import type { Transaction } from '../database/database-interface.ts';
import { inLockOrder } from '../database/sql-template.ts';
import type { ServerDeps } from '../deps.ts';
import { uploadStore } from '../uploads/upload-store.ts';

const BATCH = 200;
/** Rows that a sweep looks through for those of an earlier version: it has no index for them. */
const EARLIER_BATCH = 1_000;

export const createItemDeletion = ({ records, clock, deletions }: ServerDeps) => {
  const release = async (tx: Transaction, row: ContentRow): Promise<void> => {
    if (row.objectId === null) return;
    await storageUse(tx).release(row.accountId, row.size);
    await deletions.enqueue(tx, row.objectId);
    await uploadStore(tx).forget(row.objectId);
    if (row.previewId !== null) await deletions.enqueue(tx, row.previewId);
  };

  /** Each call looks at the next rows, until all have been looked at since the start. `next` resolves with the last one. */
  const onceThrough = <Row>(first: Row, next: (tx: Transaction, after: Row) => Promise<Row | null>) => {
    let lookedAt: Row | null = first;
    return async (): Promise<void> => {
      const after = lookedAt;
      if (after !== null) lookedAt = await records.transaction((tx) => next(tx, after));
    };
  };
  const sweepEarlierItems = onceThrough(0, (tx, after) => contentRows(tx).emptyExpired(after, EARLIER_BATCH));
  const sweepEarlierUploads = onceThrough('', (tx, after) => uploadStore(tx).forgetEarlier(after, EARLIER_BATCH));

  const sweepBatch = (): Promise<number> =>
    records.transaction(async (tx) => {
      const store = contentRows(tx);
      const rows = await store.lockExpired(clock.now(), BATCH);
      for (const row of inLockOrder(rows, ({ accountId }) => accountId)) {
        await release(tx, row);
        await store.expire(row);
      }
      return rows.length;
    });

  return {
    /** False: the account has no such item. */
    removeOwn: (id: string, accountId: AccountId): Promise<boolean> =>
      records.transaction(async (tx) => {
        const store = contentRows(tx);
        const row = await store.lock(id);
        if (row === undefined || row.accountId !== accountId) return false;
        await release(tx, row);
        await store.remove(row);
        return true;
      }),
    /** Frees the bytes of all expired items, and empties their rows. Resolves with their number. */
    sweepExpired: async (): Promise<number> => {
      let swept = 0;
      for (let count = await sweepBatch(); count > 0; count = await sweepBatch()) swept += count;
      await sweepEarlierItems();
      await sweepEarlierUploads();
      return swept;
    },
  };
};
