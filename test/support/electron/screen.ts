/** `screen`: the displays of the test in logical pixels, and their physical ones. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { desktop, type ScreenDouble } from './desktop.ts';
import { needsReady } from './life-cycle.ts';

const displayOf = ({ bounds, scaleFactor, nativeOrigin }: ScreenDouble, index: number): Electron.Display => ({
  id: 1000 + index,
  label: `Display ${index + 1}`,
  bounds,
  workArea: bounds,
  size: { width: bounds.width, height: bounds.height },
  workAreaSize: { width: bounds.width, height: bounds.height },
  nativeOrigin,
  scaleFactor,
  rotation: 0,
  internal: false,
  detected: true,
  monochrome: false,
  accelerometerSupport: 'unavailable',
  touchSupport: 'unavailable',
  colorDepth: 24,
  colorSpace: '',
  depthPerComponent: 8,
  displayFrequency: 60,
  maximumCursorSize: { width: 64, height: 64 },
});

const holds = ({ x, y, width, height }: Electron.Rectangle, at: Electron.Point): boolean =>
  at.x >= x && at.y >= y && at.x < x + width && at.y < y + height;

const common = (one: Electron.Rectangle, other: Electron.Rectangle): number =>
  Math.max(0, Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)) *
  Math.max(0, Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y));

const all = (): Electron.Display[] => {
  needsReady('screen');
  return desktop.screens.map(displayOf);
};
const first = (): Electron.Display => all()[0] as Electron.Display;

const physical = (display: Electron.Display): Electron.Rectangle => ({
  ...display.nativeOrigin,
  width: Math.round(display.bounds.width * display.scaleFactor),
  height: Math.round(display.bounds.height * display.scaleFactor),
});

type Doubled =
  | 'getAllDisplays'
  | 'getPrimaryDisplay'
  | 'getCursorScreenPoint'
  | 'getDisplayNearestPoint'
  | 'getDisplayMatching'
  | 'dipToScreenPoint'
  | 'screenToDipPoint'
  | 'dipToScreenRect'
  | 'screenToDipRect';

/** Converts a point from logical to physical pixels of the display, or back. */
const toPhysical = (display: Electron.Display, { x, y }: Electron.Point): Electron.Point => ({
  x: display.nativeOrigin.x + Math.round((x - display.bounds.x) * display.scaleFactor),
  y: display.nativeOrigin.y + Math.round((y - display.bounds.y) * display.scaleFactor),
});
const toLogical = (display: Electron.Display, { x, y }: Electron.Point): Electron.Point => ({
  x: display.bounds.x + Math.round((x - display.nativeOrigin.x) / display.scaleFactor),
  y: display.bounds.y + Math.round((y - display.nativeOrigin.y) / display.scaleFactor),
});

const doubled: Pick<Electron.Screen, Doubled> = {
  getAllDisplays: all,
  getPrimaryDisplay: first,
  getCursorScreenPoint: () => desktop.cursor,
  getDisplayNearestPoint: (point) => all().find(({ bounds }) => holds(bounds, point)) ?? first(),
  getDisplayMatching: (rect) =>
    all().reduce((best, each) => (common(each.bounds, rect) > common(best.bounds, rect) ? each : best)),
  dipToScreenPoint: (point) => toPhysical(doubled.getDisplayNearestPoint(point), point),
  screenToDipPoint: (point) => toLogical(all().find((each) => holds(physical(each), point)) ?? first(), point),
  dipToScreenRect: (_, rect) => {
    const display = doubled.getDisplayMatching(rect);
    const { scaleFactor } = display;
    return {
      ...toPhysical(display, rect),
      width: Math.round(rect.width * scaleFactor),
      height: Math.round(rect.height * scaleFactor),
    };
  },
  screenToDipRect: (_, rect) => {
    const display = all().find((each) => holds(physical(each), rect)) ?? first();
    const { scaleFactor } = display;
    return {
      ...toLogical(display, rect),
      width: Math.round(rect.width / scaleFactor),
      height: Math.round(rect.height / scaleFactor),
    };
  },
};

export const screen: EventEmitter & typeof doubled = Object.assign(new EventEmitter(), doubled);
