/** The contrast of two colours by WCAG 2.2, success criteria 1.4.3 and 1.4.6. Pure. */

const LUMINANCE = [0.2126, 0.7152, 0.0722] as const;

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);

const luminanceOf = (hex: string): number =>
  LUMINANCE.reduce(
    (sum, weight, index) => sum + weight * linear(Number.parseInt(hex.slice(1 + 2 * index, 3 + 2 * index), 16) / 255),
    0,
  );

/** From 1 to 21, of two colours as `#RRGGBB`. */
export const contrastRatio = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

/** For text of usual size; `large`: only for large text. */
export type ContrastVerdict = 'AAA' | 'AA' | 'large' | 'low';

export const contrastVerdict = (ratio: number): ContrastVerdict => {
  if (ratio >= 7) return 'AAA';
  if (ratio >= 4.5) return 'AA';
  return ratio >= 3 ? 'large' : 'low';
};

/** Rounded down, so that no ratio looks better than its verdict: 4.499 is "4.49". */
export const shownRatio = (ratio: number): string => (Math.floor(ratio * 100) / 100).toFixed(2);
