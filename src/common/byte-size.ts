/**
 * Converts a number of bytes to a number and a binary unit, rounded the same way by the app's window and by the
 * server's pages.
 */

const STEP = 1024;
/** From here on, decimals are omitted. */
const NO_DECIMALS_FROM = 100;

export interface ByteSize {
  /** With at most one decimal; from 100 on rounded down. */
  readonly amount: number;
  /** 0: bytes, 1: KB, and so on. */
  readonly unit: number;
}

export const byteSizeOf = (bytes: number, lastUnit: number): ByteSize => {
  let amount = bytes;
  let unit = 0;
  // 1,023.96 KB is nearer to 1 MB than to the 1,023 KB of rounding down.
  while (amount >= STEP - 0.05 && unit < lastUnit && (unit > 0 || amount >= STEP)) {
    amount /= STEP;
    unit += 1;
  }
  const isWhole = unit === 0 || amount >= NO_DECIMALS_FROM;
  return { amount: isWhole ? Math.floor(amount) : Math.round(amount * 10) / 10, unit };
};
