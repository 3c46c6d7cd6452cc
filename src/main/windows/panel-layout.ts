/** Computes position and size of the two panels (toast and recorder bar). All lengths are logical pixels. */
import type { Rectangle, Size } from 'electron';
import { clamp } from '../../base/common/clamp.ts';

/** Between a panel and the edge, or the area it belongs to. */
const GAP = 8;

/** The lower right corner of the work area. */
export const cornerPlace = (free: Rectangle, size: Size): Rectangle => {
  const width = Math.min(size.width, free.width);
  const height = Math.min(size.height, free.height - GAP);
  return {
    x: Math.max(free.x, free.x + free.width - width - GAP),
    y: Math.max(free.y, free.y + free.height - height - GAP),
    width,
    height,
  };
};

/** Below the area, above it, to its right or left: where there is space; null: nowhere. */
export const placeBeside = (free: Rectangle, area: Rectangle, size: Size): Rectangle | null => {
  const x = Math.round(clamp(area.x + (area.width - size.width) / 2, free.x, free.x + free.width - size.width));
  const y = Math.round(clamp(area.y, free.y, free.y + free.height - size.height));
  const places = [
    { x, y: area.y + area.height + GAP },
    { x, y: area.y - GAP - size.height },
    { x: area.x + area.width + GAP, y },
    { x: area.x - GAP - size.width, y },
  ];
  const place = places.find(
    (each) =>
      each.x >= free.x &&
      each.y >= free.y &&
      each.x + size.width <= free.x + free.width &&
      each.y + size.height <= free.y + free.height,
  );
  return place ? { ...place, ...size } : null;
};

/** Below the recorded area, else above it, so that it is not recorded; inside at the bottom if neither has space. */
export const barPlace = (free: Rectangle, recorded: Rectangle, size: Size): Rectangle => {
  const below = recorded.y + recorded.height + GAP;
  const above = recorded.y - GAP - size.height;
  const bottom = free.y + free.height;
  const centre = recorded.x + (recorded.width - size.width) / 2;
  const inside = Math.min(recorded.y + recorded.height, bottom) - GAP - size.height;
  const y = [below, above].find((place) => place >= free.y && place + size.height <= bottom) ?? inside;
  return { x: Math.round(clamp(centre, free.x, free.x + free.width - size.width)), y: Math.round(y), ...size };
};
