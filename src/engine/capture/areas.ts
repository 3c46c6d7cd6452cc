/** Intersects, compares and combines areas and points of the desktop; those of one call are in the same unit. Pure. */
import type { Area } from '../../ipc/protocol/capture.ts';

/** The smallest area that contains all displays. */
export const desktopOf = (displays: readonly Area[]): Area => {
  const x = Math.min(...displays.map((display) => display.x));
  const y = Math.min(...displays.map((display) => display.y));
  const right = Math.max(...displays.map((display) => display.x + display.width));
  const bottom = Math.max(...displays.map((display) => display.y + display.height));
  return { x, y, width: right - x, height: bottom - y };
};

/** The intersection of two areas; null: they do not overlap. */
export const overlapOf = (one: Area, other: Area): Area | null => {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
};

export const isSameArea = (one: Area, other: Area): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;

export const isInside = (inner: Area, outer: Area): boolean => {
  const shared = overlapOf(inner, outer);
  return shared !== null && isSameArea(shared, inner);
};

export const contains = (area: Area, { x, y }: Pick<Area, 'x' | 'y'>): boolean =>
  x >= area.x && y >= area.y && x < area.x + area.width && y < area.y + area.height;

/** Strips all other properties. */
export const toArea = ({ x, y, width, height }: Area): Area => ({ x, y, width, height });
