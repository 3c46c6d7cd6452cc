/** Reads the encrypted file of an upload on disk, part by part. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS, partLength } from '../../../src/api/limits.ts';
import { segmentAt, storedSize } from '../../../src/server/storage/sealed-format.ts';
import { queryData } from './stored-bytes.ts';

export interface SealedParts {
  readonly objectId: string;
  /** SHA-256 of the sealed segments of part `index`, wherever the file is now. */
  part(index: number): string;
  /** SHA-256 of the whole file. */
  whole(): string;
}

/** Segments are sealed with random nonces: a rewritten part has other bytes, whatever its content. */
export const sealedParts = (data: string, uploadId: string): SealedParts => {
  const sql = 'SELECT objectId, size FROM uploads WHERE id = ?';
  const [row] = queryData<{ objectId: string; size: number }>(data, sql, uploadId);
  if (row === undefined) throw new Error(`No upload ${uploadId}.`);
  const { objectId, size } = row;
  const staged = join(data, 'objects/staged', objectId);
  const permanent = join(data, 'objects/permanent', objectId.slice(0, 2), objectId);

  /** The file may be moved at this very moment. */
  const open = (): number => {
    try {
      return openSync(staged, 'r');
    } catch {
      return openSync(permanent, 'r');
    }
  };

  const hashOf = (start: number, end: number): string => {
    const file = open();
    try {
      const bytes = Buffer.alloc(end - start);
      readSync(file, bytes, 0, bytes.length, start);
      return createHash('sha256').update(bytes).digest('hex');
    } finally {
      closeSync(file);
    }
  };

  return {
    objectId,
    part: (index) => {
      const start = index * LIMITS.partBytes;
      const last = segmentAt(start + partLength(size, index) - 1, size);
      return hashOf(segmentAt(start, size).position, last.position + last.bytes);
    },
    whole: () => hashOf(0, storedSize(size)),
  };
};
