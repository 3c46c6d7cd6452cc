/**
 * Chooses a constant frame rate for an encode: one that browsers play smoothly and the service measures exactly. Pure.
 */
import type { VideoMetadata } from './video-metadata.ts';

/** Frames per second as a fraction: film and television use multiples of 1000/1001. */
export interface Rate {
  readonly frames: number;
  readonly per: number;
}

export const rateValue = ({ frames, per }: Rate): number => frames / per;

const COMMON: readonly Rate[] = [
  ...[24, 25, 30, 48, 50, 60].map((frames) => ({ frames, per: 1 })),
  ...[24, 30, 60].map((frames) => ({ frames: frames * 1_000, per: 1_001 })),
].sort((a, b) => rateValue(a) - rateValue(b));

/** Timestamps in whole milliseconds make 30 frames per second look like 30.3. */
const NEAR = 0.02;
const EXACT = 0.0005;
/** Above this ratio to the average, the rate is variable. */
const VARIES = 1.05;
/** Minimum rate: below it, seeking would jump by seconds. */
const LEAST = 1;

const nearest = (wanted: number, tolerance: number): Rate | undefined =>
  COMMON.map((rate) => ({ rate, off: Math.abs(rateValue(rate) / wanted - 1) }))
    .filter(({ off }) => off <= tolerance)
    .sort((a, b) => a.off - b.off)[0]?.rate;

const fraction = (value: number): Rate => ({ frames: Math.max(1, Math.floor(value * 1_000)), per: 1_000 });

/**
 * Dropping to every second or third frame is smoother than an uneven selection, where it comes close enough to the
 * limit.
 */
const divided = (wanted: number, most: number): number | undefined =>
  [2, 3, 4].map((by) => wanted / by).find((value) => value <= most && value >= most * 0.75);

/** At most `most` frames per second. A variable rate becomes that of its moving parts. */
export const rateOf = ({ fps, pace }: Pick<VideoMetadata, 'fps' | 'pace'>, most: number): Rate => {
  const varies = pace > fps * VARIES;
  const wanted = Math.max(LEAST, varies ? pace : fps);
  const usual = (varies ? undefined : nearest(wanted, EXACT)) ?? nearest(Math.max(LEAST, pace), NEAR);
  const rate = usual ?? (varies ? COMMON.find((one) => rateValue(one) >= wanted) : undefined) ?? fraction(wanted);
  if (rateValue(rate) <= most) return rate;
  const less = divided(rateValue(rate), most) ?? most;
  const even = nearest(less, NEAR);
  return even !== undefined && rateValue(even) <= most ? even : fraction(less);
};
