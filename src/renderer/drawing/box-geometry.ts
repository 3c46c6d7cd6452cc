/** Geometry of boxes and points: bounding box, growing, intersection, rounding to pixels. */
import type { Box, Point, Size } from './mark.ts';

export const boxBetween = (a: Point, b: Point): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

export const boxOf = ({ width, height }: Size): Box => ({ x: 0, y: 0, width, height });

export const centreOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 });

export const boxAround = (points: readonly Point[]): Box => {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, top] = [xs.reduce((a, b) => Math.min(a, b)), ys.reduce((a, b) => Math.min(a, b))];
  const [right, bottom] = [xs.reduce((a, b) => Math.max(a, b)), ys.reduce((a, b) => Math.max(a, b))];
  return { x: left, y: top, width: right - left, height: bottom - top };
};

export const grow = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** Intersection of two boxes, or null. */
export const overlap = (a: Box, b: Box): Box | null => {
  const left = Math.max(a.x, b.x);
  const top = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - left;
  const height = Math.min(a.y + a.height, b.y + b.height) - top;
  return width > 0 && height > 0 ? { x: left, y: top, width, height } : null;
};

/** Every pixel that the box touches, even partly; at least one. */
export const wholePixels = ({ x, y, width, height }: Box): Box => {
  const left = Math.floor(x);
  const top = Math.floor(y);
  return {
    x: left,
    y: top,
    width: Math.max(1, Math.ceil(x + width) - left),
    height: Math.max(1, Math.ceil(y + height) - top),
  };
};

/** The whole image pixels that a box covers; one at the nearest edge if the box is outside. */
export const withinPicture = (box: Box, picture: Size): Box => {
  const pixels = wholePixels(box);
  const inside = overlap(pixels, boxOf(picture));
  if (inside) return inside;
  const x = Math.min(Math.max(pixels.x, 0), picture.width - 1);
  const y = Math.min(Math.max(pixels.y, 0), picture.height - 1);
  return { x, y, width: 1, height: 1 };
};

export const isSameBox = (a: Box, b: Box): boolean =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
