/**
 * Finds the position of the magnifier in the page: beside the target pixel and, where there is space, off the lines
 * that the ruler measures. Pure; all lengths are CSS pixels.
 */

import { clamp } from '../../../base/common/clamp.ts';
import type { Area } from '../../../ipc/protocol/capture.ts';
import type { Point } from '../selection/selection-geometry.ts';

/** Between the parts of the overlay, and to the edges of the page. */
export const GAP = 10;
/** Between the target pixel and the magnifier. */
const LENS_GAP = 24;
/** No further from the target pixel does the magnifier go in order to leave a small measured box uncovered. */
const FAR = 160;

type Size = Pick<Area, 'width' | 'height'>;

/** `start`, moved so that a part of this length is inside of the page. */
export const within = (start: number, length: number, room: number): number => clamp(start, GAP, room - length - GAP);

const fits = ({ x, y }: Point, { width, height }: Size, page: Size): boolean =>
  x >= GAP && y >= GAP && x + width + GAP <= page.width && y + height + GAP <= page.height;

/** Right and below of the pixel where there is space, otherwise left and above. */
const besidePixel = (pixel: Point, { width, height }: Size, page: Size): Point => {
  const right = pixel.x + LENS_GAP + width + GAP <= page.width;
  const below = pixel.y + LENS_GAP + height + GAP <= page.height;
  return {
    x: within(right ? pixel.x + LENS_GAP : pixel.x - LENS_GAP - width, width, page.width),
    y: within(below ? pixel.y + LENS_GAP : pixel.y - LENS_GAP - height, height, page.height),
  };
};

const isNear = (edge: number): boolean => edge + GAP <= FAR;
/** From the pixel to the magnifier: beyond the edge of the box, unless that is far. */
const distanceFrom = (edge: number): number => (isNear(edge) ? Math.max(LENS_GAP, edge + GAP) : LENS_GAP);

/** Positions that leave the lines through the pixel visible, the preferred ones first. */
const besideLines = (pixel: Point, { width, height }: Size, page: Size, box: Area): readonly Point[] => {
  const [right, below] = [box.x + box.width - pixel.x, box.y + box.height - pixel.y];
  const [left, above] = [pixel.x - box.x, pixel.y - box.y];
  const toRight = (by: number): number => pixel.x + by;
  const toLeft = (by: number): number => pixel.x - by - width;
  const toBottom = (by: number): number => pixel.y + by;
  const toTop = (by: number): number => pixel.y - by - height;
  const middle = within(pixel.y - height / 2, height, page.height);
  const start = within(toRight(LENS_GAP), width, page.width);
  return [
    // Below or above the box; beside a high box; in a quarter of a large one.
    ...[
      { edge: right, goX: toRight },
      { edge: left, goX: toLeft },
    ].flatMap(({ edge, goX }) =>
      [
        { end: below, goY: toBottom },
        { end: above, goY: toTop },
      ].map(({ end, goY }) => ({ x: goX(isNear(end) ? LENS_GAP : distanceFrom(edge)), y: goY(distanceFrom(end)) })),
    ),
    // However far that is.
    { x: toRight(right + GAP), y: middle },
    { x: toLeft(left + GAP), y: middle },
    { x: start, y: toBottom(below + GAP) },
    { x: start, y: toTop(above + GAP) },
  ];
};

/** `box`: what the ruler measures around the pixel; null: the ruler is off. */
export const placeMagnifier = (pixel: Point, size: Size, page: Size, box: Area | null): Point => {
  const uncovering = box ? besideLines(pixel, size, page, box) : [];
  return uncovering.find((place) => fits(place, size, page)) ?? besidePixel(pixel, size, page);
};
