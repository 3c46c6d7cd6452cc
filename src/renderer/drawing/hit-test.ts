/** Finds the mark, or the handle of a mark, under a point. */
import { unreachable } from '../../api/errors.ts';
import { grow } from './box-geometry.ts';
import type { Box, Mark, Point } from './mark.ts';
import { boundsOf, type Handle } from './transform.ts';

const isInside = ({ x, y, width, height }: Box, at: Point): boolean =>
  at.x >= x && at.y >= y && at.x <= x + width && at.y <= y + height;

const distanceToLine = (from: Point, to: Point, at: Point): number => {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : Math.min(1, Math.max(0, ((at.x - from.x) * dx + (at.y - from.y) * dy) / square));
  return Math.hypot(at.x - from.x - along * dx, at.y - from.y - along * dy);
};

const isOnBorder = (box: Box, at: Point, reach: number): boolean =>
  isInside(grow(box, reach), at) &&
  (box.width <= 2 * reach || box.height <= 2 * reach || !isInside(grow(box, -reach), at));

const isOnEllipse = (box: Box, at: Point, reach: number): boolean => {
  const radiusAt = (by: number): number => {
    const { x, y, width, height } = grow(box, by);
    if (width <= 0 || height <= 0) return Number.POSITIVE_INFINITY;
    return Math.hypot((at.x - x - width / 2) / (width / 2), (at.y - y - height / 2) / (height / 2));
  };
  return radiusAt(reach) <= 1 && radiusAt(-reach) >= 1;
};

/** Outlined shapes are hit on their line only. `reach`: tolerance in image pixels. */
const isHit = (mark: Mark, at: Point, reach: number): boolean => {
  switch (mark.kind) {
    case 'arrow':
    case 'line':
      return distanceToLine(mark.from, mark.to, at) <= reach + mark.width / 2;
    case 'pen':
      return mark.points.some(
        (point, index) => distanceToLine(mark.points[index - 1] ?? point, point, at) <= reach + mark.width / 2,
      );
    case 'rectangle':
      return isOnBorder(mark.box, at, reach + mark.width / 2);
    case 'ellipse':
      return isOnEllipse(mark.box, at, reach + mark.width / 2);
    case 'step':
      return Math.hypot(at.x - mark.at.x, at.y - mark.at.y) <= mark.radius + reach / 2;
    case 'text':
    case 'highlight':
    case 'redaction':
      return isInside(boundsOf(mark), at);
    default:
      return unreachable(mark);
  }
};

/** The topmost mark under a point; redactions are below all others. */
export const markAt = (marks: readonly Mark[], at: Point, reach: number): Mark | null => {
  const hit = marks.filter((mark) => isHit(mark, at, reach));
  return hit.findLast(({ kind }) => kind !== 'redaction') ?? hit.at(-1) ?? null;
};

export const handleAt = (handles: readonly Handle[], at: Point, reach: number): Handle | null =>
  handles
    .map((handle) => ({ handle, distance: Math.hypot(handle.x - at.x, handle.y - at.y) }))
    .filter(({ distance }) => distance <= reach)
    .toSorted((a, b) => a.distance - b.distance)[0]?.handle ?? null;
