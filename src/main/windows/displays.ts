/**
 * The displays as Electron knows them (logical pixels, rounded) and as captures need them (physical pixels, exact, in the
 * coordinates of the platform's own programs). Promise: neighbours never overlap, whatever their scales.
 */
import type { Display as ElectronDisplay, Rectangle, Screen } from 'electron';
import type { Area, Display } from '../../contract/capture.ts';

export interface KnownDisplay {
  readonly display: Display;
  readonly electron: ElectronDisplay;
}

export type ScreenDoor = Pick<Screen, 'getAllDisplays' | 'getPrimaryDisplay' | 'dipToScreenPoint'>;

/** How the platform tells where a display begins in physical pixels. `none`: by nothing but its logical place. */
type Origins = 'native' | 'converted' | 'none';

export const originsOn = (platform: NodeJS.Platform, isWayland: boolean): Origins => {
  if (platform === 'win32') return 'converted';
  return platform === 'linux' && !isWayland ? 'native' : 'none';
};

/**
 * Physical pixels of a logical length. Electron rounds the logical one, so that 2560 pixels at 1.5 come as 1707 and back
 * as 2560.5; real displays have even sides, which tells them apart.
 */
const physical = (length: number, scale: number): number => {
  const exact = length * scale;
  return Number.isInteger(scale) ? exact : 2 * Math.round(exact / 2);
};

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a display begins on one axis, beside one that is placed already. */
const beside = (own: Span, length: number, other: Span, placed: Span, scale: number): number => {
  if (own.start >= other.end) return placed.end + Math.round((own.start - other.end) * scale);
  if (own.end <= other.start) return placed.start - length - Math.round((other.start - own.end) * scale);
  return placed.start + Math.round((own.start - other.start) * scale);
};

const across = ({ x, width }: Rectangle): Span => ({ start: x, end: x + width });
const down = ({ y, height }: Rectangle): Span => ({ start: y, end: y + height });
const meet = (one: Span, other: Span): boolean => one.start <= other.end && other.start <= one.end;
const touch = (one: Rectangle, other: Rectangle): boolean =>
  meet(across(one), across(other)) && meet(down(one), down(other));

const sizeOf = ({ bounds, scaleFactor }: ElectronDisplay) => ({
  width: physical(bounds.width, scaleFactor),
  height: physical(bounds.height, scaleFactor),
});

/** Lays the displays out in physical pixels from their logical neighbourhood, beginning with the first. */
const layOut = (displays: readonly ElectronDisplay[]): Area[] => {
  const placed: { readonly electron: ElectronDisplay; readonly area: Area }[] = [];
  const waiting = [...displays];
  while (waiting.length > 0) {
    const isReached = ({ bounds }: ElectronDisplay) => placed.some(({ electron }) => touch(electron.bounds, bounds));
    const at = Math.max(0, waiting.findIndex(isReached));
    const [electron] = waiting.splice(at, 1);
    if (!electron) break;
    const size = sizeOf(electron);
    const anchor = placed.find((other) => touch(other.electron.bounds, electron.bounds)) ?? placed[0];
    if (!anchor) {
      placed.push({ electron, area: { x: 0, y: 0, ...size } });
      continue;
    }
    const { bounds, scaleFactor } = anchor.electron;
    const x = beside(across(electron.bounds), size.width, across(bounds), across(anchor.area), scaleFactor);
    const y = beside(down(electron.bounds), size.height, down(bounds), down(anchor.area), scaleFactor);
    placed.push({ electron, area: { x, y, ...size } });
  }
  return displays.flatMap((each) => placed.filter(({ electron }) => electron === each).map(({ area }) => area));
};

/** The primary display first, the others as Electron counts them. */
export const knownDisplays = (screen: ScreenDoor, origins: Origins): KnownDisplay[] => {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  const all = [primary, ...others];
  const areas =
    origins === 'none'
      ? layOut(all)
      : all.map((electron) => ({
          ...(origins === 'native' ? electron.nativeOrigin : screen.dipToScreenPoint(electron.bounds)),
          ...sizeOf(electron),
        }));
  return areas.flatMap((area, index) => {
    const electron = all[index];
    if (!electron) return [];
    const name = electron.label || `Display ${index + 1}`;
    return [{ electron, display: { ...area, number: index + 1, name, scale: electron.scaleFactor } }];
  });
};

const common = (one: Span, other: Span): number =>
  Math.max(0, Math.min(one.end, other.end) - Math.max(one.start, other.start));

/** The display that an area of the desktop lies on, or on which most of it does. */
export const displayUnder = (area: Area, known: readonly KnownDisplay[]): KnownDisplay | null => {
  const shared = ({ display }: KnownDisplay) =>
    common(across(display), across(area)) * common(down(display), down(area));
  return known.toSorted((one, other) => shared(other) - shared(one))[0] ?? null;
};

/** An area of a display in logical pixels, as windows are placed. */
export const logicalArea = (area: Area, { display, electron }: KnownDisplay): Rectangle => {
  const { bounds, scaleFactor } = electron;
  return {
    x: Math.round(bounds.x + (area.x - display.x) / scaleFactor),
    y: Math.round(bounds.y + (area.y - display.y) / scaleFactor),
    width: Math.round(area.width / scaleFactor),
    height: Math.round(area.height / scaleFactor),
  };
};
