/**
 * Calculates the layout of a picture on a backdrop: padding, title bar, corners and shadow. Compares backdrops. Pure.
 */
import { BACKDROP_MAX, type Backdrop } from '../../ipc/protocol/drawing.ts';
import type { Box, Size } from './mark.ts';

export interface BackdropLayout {
  /** Of all. */
  readonly size: Size;
  /** The picture below its title bar. */
  readonly picture: Box;
  /** The picture with its title bar, whose corners are rounded. */
  readonly window: Box;
  readonly radius: number;
  readonly shadow: { readonly blur: number; readonly drop: number; readonly opacity: number };
}

export const isSameBackdrop = (one: Backdrop | null, other: Backdrop | null): boolean =>
  one === other ||
  (one !== null &&
    other !== null &&
    Object.keys(one).every((key) => one[key as keyof Backdrop] === other[key as keyof Backdrop]));

/** Parts of the side of a square as large as the picture. */
const PADDING = { none: 0, small: 0.04, medium: 0.08, large: BACKDROP_MAX.padding } as const;
const RADIUS = { square: 0, round: 0.012, rounder: 0.03 } as const;
const BLUR = { none: 0, soft: 0.03, strong: 0.06 } as const;
const OPACITY = { none: 0, soft: 0.35, strong: 0.55 } as const;
const TITLE_BAR = { part: 0.045, min: 24, max: BACKDROP_MAX.titleBar } as const;

export const layBackdrop = (
  { padding, corners, shadow, titleBar }: Backdrop,
  { width, height }: Size,
): BackdropLayout => {
  const side = Math.sqrt(width * height);
  const around = Math.round(side * PADDING[padding]);
  const { part, min, max } = TITLE_BAR;
  const bar = titleBar === 'none' ? 0 : Math.round(Math.min(max, Math.max(min, side * part)));
  const radius = Math.round(Math.min(side * RADIUS[corners], Math.min(width, height) / 2));
  const blur = Math.round(side * BLUR[shadow]);
  return {
    size: { width: width + 2 * around, height: height + bar + 2 * around },
    picture: { x: around, y: around + bar, width, height },
    window: { x: around, y: around, width, height: height + bar },
    radius,
    shadow: { blur, drop: Math.round(blur / 3), opacity: OPACITY[shadow] },
  };
};
