/**
 * Deletes items: the owner's deletion removes the row, expiry keeps it without its bytes. Both release the storage once
 * and add the objects, including the preview, to the deletion queue, in one transaction.
 */

import type { AccountId } from '../../api/ids.ts';
import { type ContentRow, createContentStore } from '../content/content-store.ts';
import { createStorageUse } from '../content/storage-and-view-counters.ts';
import type { ServerDeps } from '../deps.ts';

const BATCH = 200;

export const createRemoval = ({ database, clock, deletions }: ServerDeps) => {
  const store = createContentStore(database);
  const storage = createStorageUse(database);

  const releaseBytes = (row: ContentRow): void => {
    if (row.objectId === null) return;
    storage.release(row.accountId, row.size);
    deletions.enqueue(row.objectId);
    if (row.previewId !== null) deletions.enqueue(row.previewId);
  };

  return {
    /** False: the account has no such item. */
    removeOwn: database.transaction((id: string, accountId: AccountId): boolean => {
      const row = store.byId(id);
      if (row === undefined || row.accountId !== accountId) return false;
      releaseBytes(row);
      store.remove(row);
      return true;
    }).immediate,
    /** Frees the bytes of all expired items. Returns their number. */
    sweepExpired: (): number => {
      const sweep = database.transaction((): number => {
        const rows = store.expired(clock.now(), BATCH);
        for (const row of rows) {
          releaseBytes(row);
          store.save({ ...row, objectId: null, previewId: null, previewWanted: 0 });
        }
        return rows.length;
      });
      let swept = 0;
      for (let count = sweep.immediate(); count > 0; count = sweep.immediate()) swept += count;
      return swept;
    },
  };
};
