/** Reads pixels of a display's screenshot: a single colour, and the area for the magnifier. */

import type { Area } from '../../../ipc/protocol/capture.ts';
import type { Point } from '../selection/selection-geometry.ts';

/** Pixels along each side of the magnifier; odd, so that one is in the centre. */
export const LENS_PIXELS = 15;

/** `#RRGGBB` of a desktop pixel, which must be on the display. */
export const colourAt = (image: ImageData, display: Area, { x, y }: Point): string => {
  const start = ((y - display.y) * image.width + (x - display.x)) * 4;
  const hex = [...image.data.subarray(start, start + 3)].map((part) => part.toString(16).padStart(2, '0'));
  return `#${hex.join('').toUpperCase()}`;
};

/** The pixels around a point; those outside the display are transparent. */
export const lensAt = (image: ImageData, display: Area, { x, y }: Point): ImageData => {
  const lens = new ImageData(LENS_PIXELS, LENS_PIXELS);
  const half = (LENS_PIXELS - 1) / 2;
  const left = x - display.x - half;
  const top = y - display.y - half;
  const from = Math.max(0, left);
  const to = Math.min(image.width, left + LENS_PIXELS);
  for (let row = 0; row < LENS_PIXELS; row += 1) {
    const at = top + row;
    if (at < 0 || at >= image.height) continue;
    const pixels = image.data.subarray((at * image.width + from) * 4, (at * image.width + to) * 4);
    lens.data.set(pixels, (row * LENS_PIXELS + from - left) * 4);
  }
  return lens;
};
