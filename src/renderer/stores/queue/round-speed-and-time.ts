/** Rounds the upload speed and the remaining time so that they do not flicker. Pure. */

const STEP = 1024;

/** Bytes per second, rounded to two digits of the displayed unit. */
export const roundRate = (bytesPerSecond: number): number => {
  if (bytesPerSecond < 1) return 0;
  const unit = STEP ** Math.floor(Math.log(bytesPerSecond) / Math.log(STEP));
  const amount = bytesPerSecond / unit;
  const step = 10 ** Math.max(-1, Math.floor(Math.log10(amount)) - 1);
  return Math.round(amount / step) * step * unit;
};

/** Remaining seconds, rounded up: in steps of 1 near the end, of 5, 15 and 60 before. */
export const smoothSeconds = (seconds: number): number => {
  const step = seconds > 120 ? 60 : seconds > 60 ? 15 : seconds > 10 ? 5 : 1;
  return Math.ceil(seconds / step) * step;
};
