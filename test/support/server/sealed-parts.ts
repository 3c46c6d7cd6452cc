/** Reads the encrypted bytes of an upload as they are stored, part by part. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS, partLength } from '../../../src/api/limits.ts';
import { segmentAt, storedSize } from '../../../src/server/storage/sealed-format.ts';
import { ENGINES, readS3 } from '../engines/engines.ts';
import { queryData } from './stored-bytes.ts';

export interface SealedParts {
  readonly objectId: string;
  /** SHA-256 of the sealed segments of part `index`, wherever they are now. */
  part(index: number): Promise<string>;
  /** SHA-256 of the whole object. */
  whole(): Promise<string>;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Segments are sealed with random nonces: a rewritten part has other bytes, whatever its content. */
export const sealedParts = async (data: string, uploadId: string): Promise<SealedParts> => {
  const sql = 'SELECT objectId, size FROM uploads WHERE id = ?';
  const [row] = await queryData<{ objectId: string; size: number }>(data, sql, uploadId);
  if (row === undefined) throw new Error(`No upload ${uploadId}.`);
  return ENGINES.objects === 's3' ? chunksInS3(data, row) : partsOfFile(data, row);
};

interface Stored {
  readonly objectId: string;
  readonly size: number;
}

/** A chunk is a part. */
const chunksInS3 = (data: string, { objectId, size }: Stored): SealedParts => {
  const chunk = (index: number): Promise<Buffer> => readS3(data, `${objectId}/${index}`);
  const count = Math.ceil(size / LIMITS.partBytes);
  return {
    objectId,
    part: async (index) => sha256(await chunk(index)),
    whole: async () =>
      sha256(Buffer.concat(await Promise.all(Array.from({ length: count }, (_, index) => chunk(index))))),
  };
};

const partsOfFile = (data: string, { objectId, size }: Stored): SealedParts => {
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

  const hashOf = async (start: number, end: number): Promise<string> => {
    const file = open();
    try {
      const bytes = Buffer.alloc(end - start);
      readSync(file, bytes, 0, bytes.length, start);
      return sha256(bytes);
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
