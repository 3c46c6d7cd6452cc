/**
 * Where the bytes of items live. An interface, because an operator may bring S3-compatible storage; `local-objects.ts`
 * keeps them in a folder. An object is staged (written in any order, survives restarts), then committed, then only read.
 */
import type { Readable } from 'node:stream';
import type { Brand } from '../../contract/ids.ts';

export type ObjectId = string & Brand<'ObjectId'>;

/** A staged object held open. `close` when done; the staged bytes stay. */
export interface StagedObject {
  /** Writes all of `bytes` at `position`. Not durable before `sync`. */
  write(position: number, bytes: Uint8Array): Promise<void>;
  /** Everything written before the call survives a power cut once it resolves. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface ObjectStore {
  /** Makes room for an object of `size` bytes. Durable when it resolves; reopen it with `openStaged`, also after a restart. */
  stage(id: ObjectId, size: number): Promise<StagedObject>;
  openStaged(id: ObjectId): Promise<StagedObject>;
  /** Makes a staged object permanent. Durable when it resolves; repeating it changes nothing. */
  commit(id: ObjectId): Promise<void>;
  /** Bytes of a staged or permanent object. */
  size(id: ObjectId): Promise<number>;
  /** Bytes `start` to `end`, both included, of a permanent object. */
  read(id: ObjectId, range: { readonly start: number; readonly end: number }, signal: AbortSignal): Readable;
  /** Gives a child process a path to a staged or permanent object for as long as `use` runs. */
  withFile<T>(id: ObjectId, use: (path: string) => Promise<T>): Promise<T>;
  /** Removes a staged or permanent object; one that is gone already is fine. */
  remove(id: ObjectId): Promise<void>;
  /** Every object there is, for the sweep of orphans. */
  list(): AsyncIterable<{ readonly id: ObjectId; readonly place: 'staged' | 'permanent' }>;
}
