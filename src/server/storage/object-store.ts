/**
 * Where the bytes of items live. An interface, because an operator may bring S3-compatible storage; `local-objects.ts`
 * keeps them in a folder. An object is staged (written in any order, survives restarts), then committed, then only read.
 * What is stored is encrypted; what is read is what was written, or an error (`DamagedObjectError`).
 */
import type { Readable } from 'node:stream';
import type { Brand } from '../../api/ids.ts';
import type { SealedFile } from './sealed-file.ts';
import type { WriteLease } from './write-lease.ts';

export type ObjectId = string & Brand<'ObjectId'>;

/** A staged object held open. `close` when done; the staged bytes stay. */
export interface StagedObject {
  /**
   * Writes all of `bytes` where `lease` says. Both ends must be multiples of `SEGMENT_BYTES`, or the object's end:
   * nothing smaller can be authenticated. Not durable before `sync`. Throws when the lease is not for this or has ended.
   */
  write(lease: WriteLease, bytes: Uint8Array): Promise<void>;
  /** Everything written before the call survives a power cut once it resolves. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A new object that grows; its size is known when it ends. `close` when done. */
export interface ObjectSink {
  append(bytes: Uint8Array): Promise<void>;
  /** All bytes are there. Before this the object can be neither read nor committed. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

export interface ObjectStore {
  /** Makes room for an object of `size` bytes, to be written with `openStaged`, also after a restart. Durable when it resolves. */
  stage(id: ObjectId, size: number): Promise<void>;
  openStaged(id: ObjectId): Promise<StagedObject>;
  /** Stages an object whose size is not known yet. */
  stageStream(id: ObjectId): Promise<ObjectSink>;
  /**
   * Makes a staged object permanent, which no writer may hold open. Durable when it resolves; repeating it
   * changes nothing.
   */
  commit(id: ObjectId): Promise<void>;
  /** Bytes of a staged or permanent object. */
  size(id: ObjectId): Promise<number>;
  /** Bytes `start` to `end`, both included, of a permanent object. */
  read(id: ObjectId, range: { readonly start: number; readonly end: number }, signal: AbortSignal): Readable;
  /** What a child process or a thread needs to read a staged or permanent object by itself (`openSealedFile`). */
  sealedFile(id: ObjectId): Promise<SealedFile>;
  /** Removes a staged or permanent object; one that is gone already is fine. */
  remove(id: ObjectId): Promise<void>;
  /** Every object there is, for the sweep of orphans. */
  list(): AsyncIterable<{ readonly id: ObjectId; readonly place: 'staged' | 'permanent' }>;
  /** Rejects when the store does not answer or could not take an object. */
  probe(): Promise<void>;
}
