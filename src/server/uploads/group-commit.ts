/**
 * Confirms the parts of uploads durably (API decisions 1): a part counts once its bytes and the row that records it
 * would survive a power cut. Parts that finish during one sync and commit share the next one, so that many parts cost
 * few syncs.
 */
import type { StagedObject } from '../storage/object-store-interface.ts';
import type { ConfirmedPart, UploadRow, UploadStore } from './upload-store.ts';

interface Waiting {
  readonly part: ConfirmedPart;
  readonly staged: StagedObject;
  readonly resolve: (row: UploadRow) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommit {
  /**
   * `part` has been written to `staged`. Resolves with the upload's row after the commit; its state says whether the
   * part still counted. Rejects when the sync or the commit failed: then nothing was recorded.
   */
  confirm(part: ConfirmedPart, staged: StagedObject): Promise<UploadRow>;
}

export const createGroupCommit = (store: Pick<UploadStore, 'confirm'>): GroupCommit => {
  let waiting: Waiting[] = [];
  let running = false;

  const run = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await commitBatch(batch);
    }
    running = false;
  };

  const commitBatch = async (batch: readonly Waiting[]): Promise<void> => {
    const synced = await syncAll(batch);
    try {
      const rows = await store.confirm(synced.map(({ part }) => part));
      synced.forEach(({ resolve, reject }, at) => {
        const row = rows[at];
        if (row === undefined) reject(new Error('A confirmed part has no row.'));
        else resolve(row);
      });
    } catch (error) {
      for (const { reject } of synced) reject(error);
    }
  };

  return {
    confirm: (part, staged) =>
      new Promise((resolve, reject) => {
        waiting.push({ part, staged, resolve, reject });
        if (!running) void run();
      }),
  };
};

/** Syncs each object of the batch once; returns those whose bytes are safe and rejects the others. */
const syncAll = async (batch: readonly Waiting[]): Promise<readonly Waiting[]> => {
  const objects = [...new Set(batch.map(({ staged }) => staged))];
  const failures = new Map<StagedObject, unknown>();
  await Promise.all(objects.map((staged) => staged.sync().catch((error: unknown) => failures.set(staged, error))));
  return batch.filter(({ staged, reject }) => {
    if (!failures.has(staged)) return true;
    reject(failures.get(staged));
    return false;
  });
};
