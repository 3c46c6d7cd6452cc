/**
 * Controls which request of this node may write a part of an upload. Gives the lease to one request at a time, never
 * for a confirmed part, and never in an upload that is completed or has ended (API decisions 1, "changes nothing").
 */
import type { UploadId } from '../../api/ids.ts';
import { LIMITS, partLength } from '../../api/limits.ts';
import { ProblemError } from '../problem-details.ts';
import { WriteLease } from '../storage/write-lease.ts';
import { hasPart } from './part-bitmap.ts';
import type { UploadRow, UploadStore } from './upload-store.ts';

export interface PartLeases {
  /**
   * Waits until no request writes the part, then reads the row. For a missing part, runs `write` with a lease and
   * returns its result; for a confirmed one returns the row. Throws UPLOAD_GONE.
   */
  lend(
    uploadId: UploadId,
    index: number,
    write: (lease: WriteLease, row: UploadRow) => Promise<UploadRow>,
  ): Promise<UploadRow>;
  /** Resolves when no request writes any part of the upload. */
  released(uploadId: UploadId): Promise<void>;
}

export const uploadGone = (): ProblemError =>
  new ProblemError('UPLOAD_GONE', 'The upload has expired or was cancelled; start a new one.', {
    connection: 'close-after-answer',
  });

export const createPartLeases = (store: Pick<UploadStore, 'byId'>): PartLeases => {
  /** Per upload the parts that are being written, and when that ends. */
  const writers = new Map<UploadId, Map<number, Promise<void>>>();

  const register = (uploadId: UploadId, index: number): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const ofUpload = writers.get(uploadId) ?? new Map<number, Promise<void>>();
    writers.set(uploadId, ofUpload.set(index, promise));
    return () => {
      ofUpload.delete(index);
      if (ofUpload.size === 0) writers.delete(uploadId);
      resolve();
    };
  };

  return {
    lend: async (uploadId, index, write) => {
      const writing = () => writers.get(uploadId)?.get(index);
      for (let other = writing(); other !== undefined; other = writing()) await other;
      // Nothing is awaited before the registration, so there is never a second writer, and the row is at least as new.
      const unregister = register(uploadId, index);
      let lease: WriteLease | undefined;
      try {
        const row = await store.byId(uploadId);
        if (row === undefined || row.state === 'CANCELLED' || row.state === 'EXPIRED') throw uploadGone();
        if (hasPart(row.received, index)) return row;
        if (row.state !== 'UPLOADING') throw new Error(`Upload ${uploadId} is ${row.state} without part ${index}.`);
        const place = { position: index * LIMITS.partBytes, length: partLength(row.size, index) };
        lease = new WriteLease(row.objectId, place);
        return await write(lease, row);
      } finally {
        lease?.end();
        unregister();
      }
    },
    released: async (uploadId) => {
      while (writers.has(uploadId)) await Promise.all(writers.get(uploadId)?.values() ?? []);
    },
  };
};
