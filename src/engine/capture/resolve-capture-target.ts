/**
 * Resolves capture targets to areas of the desktop, finds the title of the window in an area, and intersects and
 * compares areas. All lengths are physical pixels. Pure.
 */

import { err, failure, ok, type Result, unreachable } from '../../api/errors.ts';
import type { Area, CaptureTarget, Display, OpenWindow } from '../../ipc/protocol/capture.ts';

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

/** Errors: CAPTURE_AREA_INVALID, with the bounds of the desktop. */
export const onDesktop = (area: Area, displays: readonly Display[]): Result<Area> => {
  const desktop = desktopOf(displays);
  if (isInside(area, desktop)) return ok(area);
  const bounds = `${desktop.width} x ${desktop.height} pixels from ${desktop.x},${desktop.y}`;
  return err(failure('CAPTURE_AREA_INVALID', `The region extends beyond the desktop, which is ${bounds}.`));
};

/** What can be captured. */
export interface DesktopLayout {
  readonly displays: readonly Display[];
  /** The frontmost first. */
  readonly windows: readonly OpenWindow[];
  /** The last selected region. */
  readonly last: Area | null;
}

/** Errors: CAPTURE_AREA_INVALID, with the valid alternatives. */
export const resolveCaptureTarget = (
  target: CaptureTarget,
  { displays, windows, last }: DesktopLayout,
): Result<Area> => {
  switch (target.mode) {
    case 'all':
      return ok(desktopOf(displays));
    case 'screen': {
      const display = displays[target.number - 1];
      if (display) return ok(toArea(display));
      const count = displays.length === 1 ? 'There is one screen' : `There are ${displays.length} screens`;
      return err(failure('CAPTURE_AREA_INVALID', `There is no screen ${target.number}. ${count}, numbered from 1.`));
    }
    case 'window': {
      const window = windows.find(({ hasKeyboard }) => hasKeyboard);
      const visible = window && overlapOf(window, desktopOf(displays));
      return visible ? ok(visible) : err(failure('CAPTURE_AREA_INVALID', 'No visible window has the focus.'));
    }
    case 'last':
      return last
        ? onDesktop(last, displays)
        : err(failure('CAPTURE_AREA_INVALID', 'No region has been selected yet.'));
    case 'region':
      return onDesktop(target.area, displays);
    default:
      return unreachable(target);
  }
};

/** Strips all other properties. */
export const toArea = ({ x, y, width, height }: Area): Area => ({ x, y, width, height });

/**
 * The title of the window whose visible part equals the area, or else of the frontmost window that contains all of it.
 */
export const titleAt = (area: Area, { displays, windows }: Pick<DesktopLayout, 'displays' | 'windows'>): string => {
  const desktop = desktopOf(displays);
  const isSeenAs = (window: OpenWindow): boolean => {
    const visible = overlapOf(window, desktop);
    return visible !== null && isSameArea(visible, area);
  };
  return (windows.find(isSeenAs) ?? windows.find((window) => isInside(area, window)))?.title ?? '';
};
