/**
 * Computes where the windows of pinned images are, and how large. All lengths are logical pixels unless said otherwise.
 */
import type { Point, Rectangle, Size } from 'electron';
import { clamp } from '../../base/common/clamp.ts';
import { ZOOM } from '../../ipc/protocol/pinned-image.ts';

/** A window always shows so much of itself that it can be grabbed. */
const GRIP = 24;
/** An image that was not on the screen covers this part of the display or less, if its zoom can be so small. */
const PART = 0.8;
/** Between images that would cover each other. */
const STEP = 24;

/** `image` in pixels, `scale`: physical pixels per logical one. At least one pixel. */
export const sizeAt = (image: Size, zoom: number, scale: number): Size => ({
  width: Math.max(1, Math.round((image.width * zoom) / scale)),
  height: Math.max(1, Math.round((image.height * zoom) / scale)),
});

/** The zoom at which an image fits a display, as far as pins can be made so small; at most 1. */
export const zoomToFit = (image: Size, free: Size, scale: number): number => {
  const whole = sizeAt(image, 1, scale);
  return clamp(Math.min(1, (free.width * PART) / whole.width, (free.height * PART) / whole.height), ZOOM.least, 1);
};

/** In the middle of the work area, beside those that are there; of an image that does not fit, the beginning shows. */
export const placeInMiddle = (free: Rectangle, size: Size, others: number): Rectangle => ({
  ...size,
  x: free.x + Math.max(0, Math.round((free.width - size.width) / 2)) + STEP * (others % 8),
  y: free.y + Math.max(0, Math.round((free.height - size.height) / 2)) + STEP * (others % 8),
});

/** `at`: the point of the window that stays where it is on the screen. */
export const resizeAround = (before: Rectangle, size: Size, at: Point): Rectangle => ({
  ...size,
  x: Math.round(before.x + at.x - (at.x * size.width) / before.width),
  y: Math.round(before.y + at.y - (at.y * size.height) / before.height),
});

/** The same bounds, moved so that part of them is in the work area. */
export const keepReachable = (bounds: Rectangle, free: Rectangle): Rectangle => ({
  ...bounds,
  x: clamp(bounds.x, free.x + GRIP - bounds.width, free.x + free.width - GRIP),
  y: clamp(bounds.y, free.y + GRIP - bounds.height, free.y + free.height - GRIP),
});
