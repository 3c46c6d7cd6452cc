/** Part-sized buffers used again and again: as many as there are parts in memory at once, and no garbage. */
import { LIMITS } from '../../api/limits.ts';

export interface Buffers {
  take(): Buffer;
  /** Only for a buffer that nothing reads any more; one that a broken request may still hold is simply dropped. */
  giveBack(buffer: Buffer): void;
}

/** An app that has nothing to do holds no more than this. */
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
