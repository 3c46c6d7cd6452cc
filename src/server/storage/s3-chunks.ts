/**
 * Handles the chunks in which an S3-compatible store keeps an object in its encrypted form (`sealed-format.ts`).
 * Calculates the number, keys and positions of the chunks; puts, gets and removes one chunk.
 */
import type { ObjectId } from './object-store-interface.ts';
import { type S3Client, S3RefusedError, S3UnavailableError } from './s3-client.ts';
import { DamagedObjectError, HEADER_BYTES, SEGMENT_BYTES, storedSize } from './sealed-format.ts';

export const CHUNK_SEGMENTS = 8;
export const CHUNK_BYTES = CHUNK_SEGMENTS * SEGMENT_BYTES;
export const FULL_CHUNK_STORED = storedSize(CHUNK_BYTES) - HEADER_BYTES;
/** How often a body that was cut is continued. */
export const CUTS_MAX = 5;

export const chunksOf = (size: number): number => Math.ceil(size / CHUNK_BYTES);
export const keyOf = (id: ObjectId, chunk: number): string => `${id}/${chunk}`;

/** Where the bytes of a chunk are in the sealed file of an object of `size` bytes of plaintext. */
export const chunkInFile = (size: number, chunk: number): { readonly position: number; readonly bytes: number } => {
  const position = HEADER_BYTES + chunk * FULL_CHUNK_STORED;
  return { position, bytes: Math.min(FULL_CHUNK_STORED, storedSize(size) - position) };
};

/** Whether asking again is of no use: the client has repeated the request already, and only bodies are cut after that. */
export const isFinal = (error: unknown): boolean =>
  [DamagedObjectError, S3RefusedError, S3UnavailableError].some((kind) => error instanceof kind);

/** Whether the store itself has no such key. Where the store or its bucket is away, others answer 404 too. */
export const isNoSuchKey = (error: unknown): boolean => error instanceof S3RefusedError && error.s3Code === 'NoSuchKey';

/** Durable when it resolves. */
export const putStored = async (client: S3Client, key: string, body: Buffer, signal?: AbortSignal): Promise<void> => {
  const { body: answer } = await client.send({ operation: 'put', method: 'PUT', key, body, signal });
  await answer.dump();
};

/** A missing one is not an error: most stores answer 204 then, some NoSuchKey. */
export const removeStored = async (client: S3Client, key: string, signal?: AbortSignal): Promise<void> => {
  try {
    const { body } = await client.send({ operation: 'delete', method: 'DELETE', key, signal });
    await body.dump();
  } catch (error) {
    if (!isNoSuchKey(error)) throw error;
  }
};

/** All bytes of a key; null: there is none. */
export const getStored = async (client: S3Client, key: string, signal?: AbortSignal): Promise<Buffer | null> => {
  for (let cuts = 0; ; cuts += 1) {
    try {
      const { body } = await client.send({ operation: 'get', method: 'GET', key, signal });
      return Buffer.from(await body.arrayBuffer());
    } catch (error) {
      signal?.throwIfAborted();
      if (isNoSuchKey(error)) return null;
      if (isFinal(error)) throw error;
      if (cuts >= CUTS_MAX) throw new S3UnavailableError('get', 'the body was cut', null);
    }
  }
};
