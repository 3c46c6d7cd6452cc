/** Pool of part-sized buffers, to avoid allocating one per part. */
import { LIMITS } from '../../api/limits.ts';

export interface Buffers {
  take(): Buffer;
  /** Only for a buffer that is no longer read; one that a failed request may still use is dropped instead. */
  giveBack(buffer: Buffer): void;
}

/** Maximum number of unused buffers. */
const KEPT = LIMITS.partsAtOnce;

export const createBuffers = (): Buffers => {
  const free: Buffer[] = [];
  return {
    take: () => free.pop() ?? Buffer.allocUnsafeSlow(LIMITS.partBytes),
    giveBack(buffer) {
      if (free.length < KEPT) free.push(buffer);
    },
  };
};
