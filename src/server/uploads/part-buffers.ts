/** A pool of reusable buffers of one part each, limited to the memory that the server can spare. */
import { LIMITS } from '../../api/limits.ts';

export interface Buffers {
  /** A buffer of exactly `length` bytes with old content, or null when all are in use. */
  acquire(length: number): Buffer | null;
  release(buffer: Buffer): void;
}

/** 128 MiB in flight: some twenty accounts at full speed. */
const USED_MAX = 64;
const POOL_MAX = 6;

export const createBuffers = (): Buffers => {
  const pool: Buffer[] = [];
  let used = 0;

  return {
    acquire: (length) => {
      if (used >= USED_MAX) return null;
      used += 1;
      const buffer = pool.pop() ?? Buffer.allocUnsafeSlow(LIMITS.partBytes);
      return buffer.subarray(0, length);
    },
    release: (buffer) => {
      used -= 1;
      if (pool.length < POOL_MAX) pool.push(Buffer.from(buffer.buffer));
    },
  };
};
