/** A pool of reusable buffers of one part each, limited to the memory that the server can spare. */
import { LIMITS } from '../../api/limits.ts';

export interface Buffers {
  /** A buffer of exactly `length` bytes with old content, or null when all are in use. */
  lend(length: number): Buffer | null;
  giveBack(buffer: Buffer): void;
}

/** 128 MiB in flight: some twenty accounts at full speed. */
const LENT_MAX = 64;
const KEPT_MAX = 6;

export const createBuffers = (): Buffers => {
  const kept: Buffer[] = [];
  let lent = 0;

  return {
    lend: (length) => {
      if (lent >= LENT_MAX) return null;
      lent += 1;
      const whole = kept.pop() ?? Buffer.allocUnsafeSlow(LIMITS.partBytes);
      return whole.subarray(0, length);
    },
    giveBack: (buffer) => {
      lent -= 1;
      if (kept.length < KEPT_MAX) kept.push(Buffer.from(buffer.buffer));
    },
  };
};
