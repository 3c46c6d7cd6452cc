/** Measured numbers as a person reads them: rounded so far that they stand still between two looks. Pure. */

const STEP = 1024;

/** Bytes a second, to two figures of the unit in which they are shown. */
export const smoothRate = (bytesPerSecond: number): number => {
  if (bytesPerSecond < 1) return 0;
  const unit = STEP ** Math.floor(Math.log(bytesPerSecond) / Math.log(STEP));
  const amount = bytesPerSecond / unit;
  const step = 10 ** Math.max(-1, Math.floor(Math.log10(amount)) - 1);
  return Math.round(amount / step) * step * unit;
};

/** Seconds that are left, never fewer than there are: each one near the end, steps of five and of fifteen before. */
export const smoothSeconds = (seconds: number): number => {
  const step = seconds > 120 ? 60 : seconds > 60 ? 15 : seconds > 10 ? 5 : 1;
  return Math.ceil(seconds / step) * step;
};
