/**
 * Converts the displays that Electron reports (logical pixels, rounded) to the coordinates of captures (physical
 * pixels), and an area back to logical pixels for windows. Where the system lists its monitors, their sizes are exact;
 * where the platform reports only logical positions, neighbouring displays are placed without overlap.
 */
import type { Display as ElectronDisplay, Point, Rectangle, Screen } from 'electron';
import { unreachable } from '../../api/errors.ts';
import { overlapOf } from '../../engine/capture/areas.ts';
import { layOutDisplays } from '../../engine/capture/lay-out-physical-displays.ts';
import type { Area, Display } from '../../ipc/protocol/capture.ts';

export interface KnownDisplay {
  readonly display: Display;
  readonly electron: ElectronDisplay;
}

export type ElectronScreen = Pick<Screen, 'getAllDisplays' | 'getPrimaryDisplay' | 'dipToScreenPoint'>;

/** How the platform reports the physical origin of a display. `none`: only its logical position. */
type Origins = 'native' | 'converted' | 'none';

export const originsOn = (platform: NodeJS.Platform, isWayland: boolean): Origins => {
  if (platform === 'win32') return 'converted';
  return platform === 'linux' && !isWayland ? 'native' : 'none';
};

/** Usual sides of displays that are even, but no multiple of 4. */
const BARELY_EVEN: ReadonlySet<number> = new Set([1050, 1366]);

/** The more likely a side of a real display, the greater: they are multiples of 4, most of them of 8 or more. */
const likelihood = (length: number): number => (BARELY_EVEN.has(length) ? length : length & -length);

/** Chromium's logical length on Windows, in its single precision: both ends are rounded outwards. */
const enclosed = (start: number, length: number, scale: number): number => {
  const ratio = Math.fround(1 / scale);
  return Math.ceil(Math.fround((start + length) * ratio)) - Math.floor(Math.fround(start * ratio));
};

/** The likeliest length of those that Chromium reports as this logical one. */
const likeliest = (start: number, logical: number, scale: number): number => {
  let best = 0;
  const most = Math.ceil((logical + 1) * scale);
  for (let length = Math.floor((logical - 2) * scale); length <= most; length++)
    if (enclosed(start, length, scale) === logical && likelihood(length) >= likelihood(best)) best = length;
  return best || Math.round(logical * scale);
};

const areaOnWindows = (electron: ElectronDisplay, { x, y }: Point, monitors: readonly Area[]): Area => {
  const { bounds, scaleFactor: scale } = electron;
  const fits = (length: number, logical: number): boolean => Math.abs(length / scale - logical) < 2;
  // The list may be older than a change of the displays.
  const listed = monitors.find(
    (monitor) =>
      monitor.x === x && monitor.y === y && fits(monitor.width, bounds.width) && fits(monitor.height, bounds.height),
  );
  return listed ?? { x, y, width: likeliest(x, bounds.width, scale), height: likeliest(y, bounds.height, scale) };
};

/**
 * Physical pixels of a logical length elsewhere. Electron rounds the logical one, so that 2560 pixels at 1.5 come as
 * 1707 and back as 2560.5; real displays have even sides, which resolves the ambiguity.
 */
const physical = (length: number, scale: number): number => {
  const exact = length * scale;
  return Number.isInteger(scale) ? exact : 2 * Math.round(exact / 2);
};

const sizeOf = ({ bounds, scaleFactor }: ElectronDisplay) => ({
  width: physical(bounds.width, scaleFactor),
  height: physical(bounds.height, scaleFactor),
});

const areasOf = (
  all: readonly ElectronDisplay[],
  screen: ElectronScreen,
  origins: Origins,
  monitors: readonly Area[],
): readonly Area[] => {
  switch (origins) {
    case 'converted':
      return all.map((electron) => areaOnWindows(electron, screen.dipToScreenPoint(electron.bounds), monitors));
    case 'native':
      return all.map((electron) => ({ ...electron.nativeOrigin, ...sizeOf(electron) }));
    case 'none':
      return layOutDisplays(
        all.map((electron) => ({ ...sizeOf(electron), logical: electron.bounds, scale: electron.scaleFactor })),
      );
    default:
      return unreachable(origins);
  }
};

/**
 * The primary display first, the others in Electron's order. `monitors`: those that Windows lists, in physical pixels;
 * without them, sizes are the likeliest ones.
 */
export const knownDisplays = (
  screen: ElectronScreen,
  origins: Origins,
  monitors: readonly Area[] = [],
): KnownDisplay[] => {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  const all = [primary, ...others];
  const areas = areasOf(all, screen, origins, monitors);
  return areas.flatMap((area, index) => {
    const electron = all[index];
    if (!electron) return [];
    const name = electron.label || `Display ${index + 1}`;
    const { x, y, width, height } = area;
    return [{ electron, display: { x, y, width, height, number: index + 1, name, scale: electron.scaleFactor } }];
  });
};

/** The display that contains an area of the desktop, or most of it. */
export const displayUnder = (area: Area, known: readonly KnownDisplay[]): KnownDisplay | null => {
  const shared = ({ display }: KnownDisplay) => {
    const { width, height } = overlapOf(display, area) ?? { width: 0, height: 0 };
    return width * height;
  };
  return known.toSorted((one, other) => shared(other) - shared(one))[0] ?? null;
};

/** An area of a display in logical pixels, as used for windows. */
export const logicalArea = (area: Area, { display, electron }: KnownDisplay): Rectangle => {
  const { bounds, scaleFactor } = electron;
  return {
    x: Math.round(bounds.x + (area.x - display.x) / scaleFactor),
    y: Math.round(bounds.y + (area.y - display.y) / scaleFactor),
    width: Math.round(area.width / scaleFactor),
    height: Math.round(area.height / scaleFactor),
  };
};
