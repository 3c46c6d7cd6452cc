/** A stored object that is opened on demand, as a file from which its plaintext can be read. */

import type { ObjectId, ObjectStore } from './object-store-interface.ts';
import type { SealedFile } from './sealed-reader.ts';

/** An object that is opened when it is needed. */
export interface FileSource {
  /** Bytes of plaintext. */
  readonly size: number;
  /** It takes a while to open it, and space on the disk. */
  readonly isFetched: boolean;
  /** As `ObjectStore.withSealedFile`. */
  open<T>(use: (file: SealedFile) => Promise<T>, signal: AbortSignal): Promise<T>;
}

export const sourceOf = (objects: ObjectStore, id: ObjectId, size: number): FileSource => ({
  ...{ size, isFetched: objects.isFetched },
  open: (use, signal) => objects.withSealedFile(id, use, signal),
});
