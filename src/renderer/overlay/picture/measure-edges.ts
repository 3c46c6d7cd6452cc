/**
 * Measures from a pixel to the nearest colour edge in each of the four directions, for the ruler of the overlay. Pure,
 * with at most as many steps as the display has columns and rows.
 */

import type { Area } from '../../../ipc/protocol/capture.ts';
import type { Point } from '../selection/selection-geometry.ts';

/** RGBA, rows without padding. */
type Pixels = Pick<ImageData, 'data' | 'width' | 'height'>;

/**
 * By how much of 255 a channel may differ without an edge: more than the noise of a photo's plain parts, less than a
 * panel of `#FAFAFA` on white.
 */
export const EDGE_TOLERANCE = 4;

/** Start and length of the run of pixels around the one at byte `middle` that look like it, along a row or a column. */
const runAround = (
  data: Pixels['data'],
  { middle, place, length, stride }: Readonly<Record<'middle' | 'place' | 'length' | 'stride', number>>,
): readonly [start: number, length: number] => {
  const isAlike = (step: number): boolean => {
    const at = middle + (step - place) * stride;
    for (let channel = 0; channel < 3; channel += 1)
      if (Math.abs((data[at + channel] ?? 0) - (data[middle + channel] ?? 0)) > EDGE_TOLERANCE) return false;
    return true;
  };
  let start = place;
  while (start > 0 && isAlike(start - 1)) start -= 1;
  let end = place + 1;
  while (end < length && isAlike(end)) end += 1;
  return [start, end - start];
};

/**
 * The box between the edges, in desktop pixels: as wide as the row of the pixel `at` looks like it, and as high as its
 * column does. The border of the display is an edge. The pixel must be on the display.
 */
export const measureEdges = ({ data, width, height }: Pixels, display: Area, at: Point): Area => {
  const [column, row] = [at.x - display.x, at.y - display.y];
  const middle = (row * width + column) * 4;
  const [left, wide] = runAround(data, { middle, place: column, length: width, stride: 4 });
  const [top, high] = runAround(data, { middle, place: row, length: height, stride: width * 4 });
  return { x: display.x + left, y: display.y + top, width: wide, height: high };
};
