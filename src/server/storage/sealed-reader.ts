/**
 * Reads encrypted objects at any offset. A `SealedFile` describes an encrypted file as plain data, so that a child
 * process or a thread can read it by itself; plaintext never touches the disk.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open } from '../../base/node/retrying-fs.ts';
import { freeMemory } from '../free-buffer-memory.ts';
import { openSegment, segmentAt } from './sealed-format.ts';

/** One object and its key. Never log it. */
export interface SealedFile {
  readonly path: string;
  /** Decrypts only this object; base64. */
  readonly key: string;
  /** Bytes of plaintext. */
  readonly size: number;
}

/** Random-access bytes. */
interface ByteSource {
  readonly size: number;
  /**
   * Returns fewer than `length` bytes only at the end of the object. Throws `DamagedObjectError` instead of returning
   * wrong ones.
   */
  read(position: number, length: number): Promise<Buffer>;
}

export interface SealedReader extends ByteSource {
  close(): Promise<void>;
}

/** Takes ownership of `file`. Caches the last segment: sequential readers request the same one many times. */
export const createReader = (file: FileHandle, key: KeyObject, size: number): SealedReader => {
  let recent: { readonly index: number; readonly plaintext: Promise<Buffer> } | undefined;

  const load = async (segment: ReturnType<typeof segmentAt>): Promise<Buffer> => {
    const record = Buffer.allocUnsafeSlow(segment.bytes);
    let filled = 0;
    while (filled < record.length) {
      const { bytesRead } = await file.read(record, filled, record.length - filled, segment.position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    try {
      return openSegment(key, segment, record.subarray(0, filled));
    } finally {
      freeMemory(record);
    }
  };

  const plaintextOf = (segment: ReturnType<typeof segmentAt>): Promise<Buffer> => {
    if (recent?.index !== segment.index) recent = { index: segment.index, plaintext: load(segment) };
    return recent.plaintext;
  };

  return {
    size,
    read: async (position, length) => {
      const end = Math.min(position + length, size);
      const pieces: Buffer[] = [];
      for (let at = position; at < end; ) {
        const segment = segmentAt(at, size);
        const plaintext = await plaintextOf(segment);
        pieces.push(plaintext.subarray(at - segment.start, end - segment.start));
        at = segment.end;
      }
      return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    },
    close: () => file.close(),
  };
};

export const openSealedFile = async ({ path, key, size }: SealedFile): Promise<SealedReader> =>
  createReader(await open(path, 'r'), createSecretKey(key, 'base64'), size);

/** All bytes of an object, for readers that need the whole. */
export const readSealedFile = async (sealed: SealedFile): Promise<Buffer> => {
  const reader = await openSealedFile(sealed);
  try {
    return await reader.read(0, sealed.size);
  } finally {
    await reader.close();
  }
};
