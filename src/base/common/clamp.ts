/** Limits a number to a range. Pure. */

/** `least` wins where it is above `most`. */
export const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));
