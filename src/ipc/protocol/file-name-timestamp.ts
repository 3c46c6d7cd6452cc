/** Formats day and time for file names, in local time, and names images from the clipboard by them. */

export interface Timestamp {
  /** `2026-11-20` */
  readonly date: string;
  /** `18.04.05`: no colons, which Windows refuses. */
  readonly time: string;
}

const two = (value: number): string => String(value).padStart(2, '0');

export const timestampOf = (at: Date): Timestamp => ({
  date: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
  time: `${two(at.getHours())}.${two(at.getMinutes())}.${two(at.getSeconds())}`,
});

/** Such as `Clipboard 2026-11-20 18.04.05.png`. */
export const clipboardImageName = (at: Date): string => {
  const { date, time } = timestampOf(at);
  return `Clipboard ${date} ${time}.png`;
};
