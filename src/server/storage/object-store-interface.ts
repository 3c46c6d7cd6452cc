/**
 * Defines the interface of the object store, which holds the encrypted bytes of items in files (`local-objects.ts`) or
 * in S3 (`s3-objects.ts`). A staged object of known size can be written across restarts; a committed object can only be
 * read or removed, and a read of damaged bytes fails with `DamagedObjectError`.
 */

import type { Readable } from 'node:stream';
import type { Brand } from '../../api/ids.ts';
import type { SealedFile } from './sealed-reader.ts';
import type { WriteLease } from './write-lease.ts';

export type ObjectId = string & Brand<'ObjectId'>;

/** The sweep has taken the object of a server that seemed to have ended, or its upload has ended. */
export class RemovedObjectError extends Error {
  override readonly name = 'RemovedObjectError';
  readonly code = 'OBJECT_REMOVED';

  constructor(id: ObjectId) {
    super(`Object ${id} was removed before it was permanent.`);
  }
}

/** An open staged object. `close` when done; the staged bytes stay. */
export interface StagedObject {
  /**
   * Writes all of `bytes` at the position of `lease`. Both ends must be multiples of `SEGMENT_BYTES`, or the object's
   * end: nothing smaller can be authenticated. Not durable before `sync`. Throws when the lease is for another object
   * or another number of bytes, or has ended.
   */
  write(lease: WriteLease, bytes: Uint8Array): Promise<void>;
  /** Once it resolves, everything written before the call survives a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A new object that grows; its size is known when it ends. `close` when done. */
export interface ObjectSink {
  append(bytes: Uint8Array): Promise<void>;
  /** All bytes are written. Before this the object can be neither read nor committed. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

export interface ObjectStore {
  /**
   * Allocates an object of `size` bytes, to be written with `openStaged`, also after a restart. Durable when it
   * resolves.
   */
  stage(id: ObjectId, size: number): Promise<void>;
  openStaged(id: ObjectId): Promise<StagedObject>;
  /** Stages an object of unknown size. */
  stageStream(id: ObjectId): Promise<ObjectSink>;
  /** Makes a staged object permanent; no writer may have it open. Durable when it resolves; idempotent. */
  commit(id: ObjectId): Promise<void>;
  /** Size in bytes of a staged or permanent object. */
  size(id: ObjectId): Promise<number>;
  /** Bytes `start` to `end`, both inclusive, of a permanent object. */
  read(id: ObjectId, range: { readonly start: number; readonly end: number }, signal: AbortSignal): Readable;
  /**
   * Calls `use` with what a child process or a thread needs to read a staged or permanent object by itself
   * (`openSealedFile`), valid until its promise settles. An object of another computer is fetched first; `signal` ends that.
   */
  withSealedFile<T>(id: ObjectId, use: (file: SealedFile) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Whether `withSealedFile` fetches the object first. */
  readonly isFetched: boolean;
  /** Removes a staged or permanent object; a missing one is not an error. */
  remove(id: ObjectId): Promise<void>;
  /** The sweep removes the object unless an item owns it by then. Does not reject. */
  abandon(id: ObjectId): Promise<void>;
  /** Rejects when the store does not respond, or could not accept an object for another reason than its space. */
  probe(): Promise<void>;
}
