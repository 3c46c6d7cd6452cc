/** Computes the bounds and handles of marks, and moves and resizes marks, for pointer and keyboard. Does not draw. */
import { unreachable } from '../../api/errors.ts';
import { boxAround, boxBetween } from './box-geometry.ts';
import type { Box, Mark, Point } from './mark.ts';

/** Bounds of a mark, without its line width. */
export const boundsOf = (mark: Mark): Box => {
  switch (mark.kind) {
    case 'arrow':
    case 'line':
      return boxBetween(mark.from, mark.to);
    case 'pen':
      return boxAround(mark.points);
    case 'text':
      return { ...mark.at, ...mark.extent };
    case 'step':
      return {
        x: mark.at.x - mark.radius,
        y: mark.at.y - mark.radius,
        width: 2 * mark.radius,
        height: 2 * mark.radius,
      };
    case 'rectangle':
    case 'ellipse':
    case 'highlight':
    case 'redaction':
      return mark.box;
    default:
      return unreachable(mark);
  }
};

const shift = <P extends Point>(point: P, by: Point): P => ({ ...point, x: point.x + by.x, y: point.y + by.y });

export const moveBy = <M extends Mark>(mark: M, by: Point): M => {
  const moved = (): Mark => {
    switch (mark.kind) {
      case 'arrow':
      case 'line':
        return { ...mark, from: shift(mark.from, by), to: shift(mark.to, by) };
      case 'pen':
        return { ...mark, points: mark.points.map((point) => shift(point, by)) };
      case 'text':
      case 'step':
        return { ...mark, at: shift(mark.at, by) };
      case 'rectangle':
      case 'ellipse':
      case 'highlight':
        return { ...mark, box: shift(mark.box, by) };
      case 'redaction':
        // Moves by whole pixels: a fraction would make the box grow with every move.
        return { ...mark, box: shift(mark.box, { x: Math.round(by.x), y: Math.round(by.y) }) };
      default:
        return unreachable(mark);
    }
  };
  return moved() as M;
};

/** A handle of a mark: a side or corner of its box by compass direction, or an end of its line. */
export type HandleName = 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w' | 'from' | 'to';

export interface Handle extends Point {
  readonly name: HandleName;
}

const SIDES = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const;

const onBox = ({ x, y, width, height }: Box, name: HandleName): Handle => ({
  name,
  x: x + (name.includes('e') ? width : name.includes('w') ? 0 : width / 2),
  y: y + (name.includes('s') ? height : name.includes('n') ? 0 : height / 2),
});

export const boxHandles = (box: Box): readonly Handle[] => SIDES.map((name) => onBox(box, name));

export const handlesOf = (mark: Mark): readonly Handle[] => {
  switch (mark.kind) {
    case 'arrow':
    case 'line':
      return [
        { name: 'from', ...mark.from },
        { name: 'to', ...mark.to },
      ];
    case 'text':
    case 'step':
      return [onBox(boundsOf(mark), 'se')];
    case 'pen':
    case 'rectangle':
    case 'ellipse':
    case 'highlight':
    case 'redaction':
      return boxHandles(boundsOf(mark));
    default:
      return unreachable(mark);
  }
};

/** The box with one side or corner moved to a point; past the opposite side it flips. */
export const pullBox = (box: Box, handle: HandleName, to: Point): Box => {
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const a = { x: handle.includes('w') ? to.x : box.x, y: handle.includes('n') ? to.y : box.y };
  const b = { x: handle.includes('e') ? to.x : right, y: handle.includes('s') ? to.y : bottom };
  return boxBetween(a, b);
};

/** Minimum sizes that can still be seen and grabbed. */
const MIN_SIZE = 1;
const MIN_TEXT_SIZE = 6;
const LEAST_RADIUS = 5;

const scaled = (points: readonly Point[], from: Box, to: Box): readonly Point[] => {
  const scale = (at: number, start: number, length: number, newStart: number, newLength: number): number =>
    length === 0 ? newStart + newLength / 2 : newStart + ((at - start) / length) * newLength;
  return points.map(({ x, y }) => ({
    x: scale(x, from.x, from.width, to.x, to.width),
    y: scale(y, from.y, from.height, to.y, to.height),
  }));
};

const atLeast = ({ x, y, width, height }: Box): Box => ({
  x,
  y,
  width: Math.max(MIN_SIZE, width),
  height: Math.max(MIN_SIZE, height),
});

/** The mark with one of its handles moved to a point. */
export const pull = <M extends Mark>(mark: M, handle: HandleName, to: Point): M => {
  const pulled = (): Mark => {
    switch (mark.kind) {
      case 'arrow':
      case 'line':
        return { ...mark, [handle === 'from' ? 'from' : 'to']: to };
      case 'pen': {
        const box = boundsOf(mark);
        return { ...mark, points: scaled(mark.points, box, atLeast(pullBox(box, handle, to))) };
      }
      case 'text': {
        const factor = Math.max((to.y - mark.at.y) / mark.extent.height, MIN_TEXT_SIZE / mark.size);
        const { width, height } = mark.extent;
        return { ...mark, size: mark.size * factor, extent: { width: width * factor, height: height * factor } };
      }
      case 'step': {
        const reach = Math.max(to.x - mark.at.x, to.y - mark.at.y);
        return { ...mark, radius: Math.max(LEAST_RADIUS, reach) };
      }
      case 'rectangle':
      case 'ellipse':
      case 'highlight':
      case 'redaction':
        return { ...mark, box: atLeast(pullBox(mark.box, handle, to)) };
      default:
        return unreachable(mark);
    }
  };
  return pulled() as M;
};

/** Resizes as the arrow keys do: moves the lower right corner, or the tip of a line. */
export const resizeBy = <M extends Mark>(mark: M, by: Point): M => {
  if (mark.kind === 'arrow' || mark.kind === 'line') return pull(mark, 'to', shift(mark.to, by));
  const corner = onBox(boundsOf(mark), 'se');
  if (mark.kind === 'text' || mark.kind === 'step') {
    const both = by.x + by.y;
    return pull(mark, 'se', { x: corner.x + both, y: corner.y + both });
  }
  const { x, y } = boundsOf(mark);
  return pull(mark, 'se', { x: Math.max(x + MIN_SIZE, corner.x + by.x), y: Math.max(y + MIN_SIZE, corner.y + by.y) });
};

/** For drawing with Shift: a square from `start`. */
export const squared = (start: Point, end: Point): Point => {
  const side = Math.max(Math.abs(end.x - start.x), Math.abs(end.y - start.y));
  return { x: start.x + side * (end.x < start.x ? -1 : 1), y: start.y + side * (end.y < start.y ? -1 : 1) };
};

/** For drawing with Shift: a line in the nearest of eight directions. */
export const straightened = (start: Point, end: Point): Point => {
  const step = Math.PI / 4;
  const angle = Math.round(Math.atan2(end.y - start.y, end.x - start.x) / step) * step;
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  return { x: start.x + Math.cos(angle) * length, y: start.y + Math.sin(angle) * length };
};
