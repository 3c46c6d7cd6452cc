/**
 * Geometry of regions and points in physical pixels. A region stays within its display when it is moved, resized or
 * clipped.
 */

import { clamp } from '../../../base/common/clamp.ts';
import type { Area } from '../../../ipc/protocol/capture.ts';

/** A pixel of the desktop. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A smaller movement is a click, not a drag. */
export const MIN_LENGTH = 5;

export const HANDLES = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const;
export type Handle = (typeof HANDLES)[number];

/** The edges a handle moves: -1 the left or upper one, 1 the right or lower one. */
const sideX = (handle: Handle): number => (handle.includes('w') ? -1 : handle.includes('e') ? 1 : 0);
const sideY = (handle: Handle): number => (handle.includes('n') ? -1 : handle.includes('s') ? 1 : 0);

export const areaOf = ({ x, y, width, height }: Area): Area => ({ x, y, width, height });

export const contains = (area: Area, { x, y }: Point): boolean =>
  x >= area.x && y >= area.y && x < area.x + area.width && y < area.y + area.height;

export const centreOf = (area: Area): Point => ({
  x: area.x + Math.floor(area.width / 2),
  y: area.y + Math.floor(area.height / 2),
});

/** The display pixel nearest to `point`. */
export const onDisplay = (point: Point, display: Area): Point => ({
  x: clamp(point.x, display.x, display.x + display.width - 1),
  y: clamp(point.y, display.y, display.y + display.height - 1),
});

/** `area` clipped to the display; null: too small to capture. */
export const cutTo = (area: Area, display: Area): Area | null => {
  const x = Math.max(area.x, display.x);
  const y = Math.max(area.y, display.y);
  const width = Math.min(area.x + area.width, display.x + display.width) - x;
  const height = Math.min(area.y + area.height, display.y + display.height) - y;
  return width < MIN_LENGTH || height < MIN_LENGTH ? null : { x, y, width, height };
};

export const isLarge = ({ width, height }: Area): boolean => width >= MIN_LENGTH && height >= MIN_LENGTH;

/** The region spanned by two pixels, both included. */
export const between = (a: Point, b: Point): Area => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x) + 1,
  height: Math.abs(a.y - b.y) + 1,
});

/** The pixel that forms a square with `anchor`, limited by the display. */
export const squared = (anchor: Point, at: Point, display: Area): Point => {
  const towards = (value: number): number => (value < 0 ? -1 : 1);
  const [dirX, dirY] = [towards(at.x - anchor.x), towards(at.y - anchor.y)];
  const roomX = dirX < 0 ? anchor.x - display.x : display.x + display.width - 1 - anchor.x;
  const roomY = dirY < 0 ? anchor.y - display.y : display.y + display.height - 1 - anchor.y;
  const side = Math.min(Math.max(Math.abs(at.x - anchor.x), Math.abs(at.y - anchor.y)), roomX, roomY);
  return { x: anchor.x + dirX * side, y: anchor.y + dirY * side };
};

/** Moves a region within the display. */
export const moved = (area: Area, dx: number, dy: number, display: Area): Area => ({
  ...areaOf(area),
  x: clamp(area.x + dx, display.x, display.x + display.width - area.width),
  y: clamp(area.y + dy, display.y, display.y + display.height - area.height),
});

/** Resizes along one axis; returns start and length. */
const stretched = (
  start: number,
  length: number,
  side: number,
  by: number,
  from: number,
  to: number,
): readonly [number, number] => {
  const end = start + length;
  if (side < 0) {
    const next = clamp(start + by, from, end - MIN_LENGTH);
    return [next, end - next];
  }
  return side > 0 ? [start, clamp(end + by, start + MIN_LENGTH, to) - start] : [start, length];
};

/** Moves the edges of a handle, limited by the display and the minimum size. */
export const resized = (area: Area, handle: Handle, dx: number, dy: number, display: Area): Area => {
  const [x, width] = stretched(area.x, area.width, sideX(handle), dx, display.x, display.x + display.width);
  const [y, height] = stretched(area.y, area.height, sideY(handle), dy, display.y, display.y + display.height);
  return { x, y, width, height };
};

/** Position of a handle: the middle of its edge, or its corner. */
export const handlePoint = (area: Area, handle: Handle): Point => ({
  x: area.x + ((sideX(handle) + 1) / 2) * area.width,
  y: area.y + ((sideY(handle) + 1) / 2) * area.height,
});

/** The outermost pixel of the region that a handle moves. */
export const handlePixel = (area: Area, handle: Handle): Point => {
  const { x, y } = handlePoint(area, handle);
  return {
    x: Math.min(Math.floor(x), area.x + area.width - 1),
    y: Math.min(Math.floor(y), area.y + area.height - 1),
  };
};

/** What a press at `point` grabs: a handle within `reach` pixels, the region, or the image around it. */
export const gripAt = (area: Area, point: Point, reach: number): Handle | 'area' | 'picture' => {
  const distance = (handle: Handle): number => {
    const { x, y } = handlePoint(area, handle);
    return Math.max(Math.abs(x - point.x - 0.5), Math.abs(y - point.y - 0.5));
  };
  const nearest = HANDLES.reduce((best, handle) => (distance(handle) < distance(best) ? handle : best));
  // In a small region the centre stays free for moving it.
  const least = Math.min(area.width, area.height);
  if (distance(nearest) <= Math.min(reach, Math.max(reach / 2, least / 4))) return nearest;
  return contains(area, point) ? 'area' : 'picture';
};
