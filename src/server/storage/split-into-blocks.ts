/** Splits a stream of bytes into blocks of a fixed size, for the stores of objects in files and in S3. */

/** The part of a block that is filled; the array is used again for the next block. */
type FlushBlock = (filled: Buffer) => Promise<void>;

/** Cuts appended bytes into blocks of `bytes`. A block is flushed when more follows, or as the last one by `end`. */
export const createBlocks = (bytes: number, flush: FlushBlock) => {
  const pending = Buffer.allocUnsafeSlow(bytes);
  let filled = 0;
  const flushFilled = async (): Promise<void> => {
    await flush(pending.subarray(0, filled));
    filled = 0;
  };
  return {
    append: async (input: Uint8Array): Promise<void> => {
      for (let at = 0; at < input.length; ) {
        if (filled === bytes) await flushFilled();
        const count = Math.min(bytes - filled, input.length - at);
        pending.set(input.subarray(at, at + count), filled);
        filled += count;
        at += count;
      }
    },
    end: async (): Promise<void> => {
      if (filled > 0) await flushFilled();
    },
  };
};
