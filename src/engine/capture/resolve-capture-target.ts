/**
 * Resolves capture targets to areas of the desktop, and finds the title of the window in an area. All lengths are
 * physical pixels. Pure.
 */

import { err, failure, ok, type Result, unreachable } from '../../api/errors.ts';
import type { Area, CaptureTarget, Display, OpenWindow } from '../../ipc/protocol/capture.ts';
import { desktopOf, isInside, isSameArea, overlapOf, toArea } from './areas.ts';

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
