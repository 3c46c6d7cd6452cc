/** Computes how much disk space a recording needs. */

/** Space reserved for the system and the queue. */
const SPARE_BYTES = 64 * 1024 ** 2;

/** Bytes needed to record this many more: the segments are copied into one file at the end. */
export const bytesNeededFor = (recorded: number, more: number): number => recorded + 2 * more + SPARE_BYTES;
