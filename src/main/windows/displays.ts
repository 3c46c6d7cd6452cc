/**
 * Converts the displays that Electron reports (logical pixels, rounded) to the coordinates of captures: exact physical
 * pixels, as other programs of the platform use them. Neighbouring displays never overlap, even with different scale
 * factors.
 */
import type { Display as ElectronDisplay, Rectangle, Screen } from 'electron';
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

/**
 * Physical pixels of a logical length. Electron rounds the logical one, so that 2560 pixels at 1.5 come as 1707 and
 * back as 2560.5; real displays have even sides, which resolves the ambiguity.
 */
const physical = (length: number, scale: number): number => {
  const exact = length * scale;
  return Number.isInteger(scale) ? exact : 2 * Math.round(exact / 2);
};

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The origin of a display on one axis, beside one that is placed already. */
const beside = (own: Span, length: number, other: Span, placed: Span, scale: number): number => {
  if (own.start >= other.end) return placed.end + Math.round((own.start - other.end) * scale);
  if (own.end <= other.start) return placed.start - length - Math.round((other.start - own.end) * scale);
  return placed.start + Math.round((own.start - other.start) * scale);
};

const across = ({ x, width }: Rectangle): Span => ({ start: x, end: x + width });
const down = ({ y, height }: Rectangle): Span => ({ start: y, end: y + height });
const common = (one: Span, other: Span): number => Math.min(one.end, other.end) - Math.max(one.start, other.start);

/** Length of the edge that two displays share; 0 at a corner, negative if they are apart. */
const sharedEdge = (one: Rectangle, other: Rectangle): number => {
  const [x, y] = [common(across(one), across(other)), common(down(one), down(other))];
  return Math.min(x, y) < 0 ? Math.min(x, y) : Math.max(x, y);
};
const overlap = (one: Area, other: Area): boolean =>
  common(across(one), across(other)) > 0 && common(down(one), down(other)) > 0;

const sizeOf = ({ bounds, scaleFactor }: ElectronDisplay) => ({
  width: physical(bounds.width, scaleFactor),
  height: physical(bounds.height, scaleFactor),
});

interface Placed {
  readonly electron: ElectronDisplay;
  readonly area: Area;
}

/** Moves an area away from one that it would cover, to the side of their displays. */
const apart = (area: Area, own: Rectangle, other: Placed): Area => {
  if (!overlap(area, other.area)) return area;
  const { bounds } = other.electron;
  const occupied = other.area;
  if (own.x >= bounds.x + bounds.width) return { ...area, x: occupied.x + occupied.width };
  if (own.x + own.width <= bounds.x) return { ...area, x: occupied.x - area.width };
  return { ...area, y: own.y >= bounds.y + bounds.height ? occupied.y + occupied.height : occupied.y - area.height };
};

/** Lays the displays out in physical pixels from their logical neighbourhood, starting with the first. */
const layOut = (displays: readonly ElectronDisplay[]): Area[] => {
  const placed: Placed[] = [];
  const waiting = [...displays];
  const nearest = ({ bounds }: ElectronDisplay): number =>
    Math.max(...placed.map(({ electron }) => sharedEdge(electron.bounds, bounds)));
  while (waiting.length > 0) {
    // Neighbours of placed displays first.
    waiting.sort((one, other) => (placed.length === 0 ? 0 : nearest(other) - nearest(one)));
    const electron = waiting.shift() as ElectronDisplay;
    const { bounds } = electron;
    const size = sizeOf(electron);
    const [anchor] = placed.toSorted(
      (one, other) => sharedEdge(other.electron.bounds, bounds) - sharedEdge(one.electron.bounds, bounds),
    );
    let area: Area = { x: 0, y: 0, ...size };
    if (anchor) {
      const { bounds: beyond, scaleFactor } = anchor.electron;
      const x = beside(across(bounds), size.width, across(beyond), across(anchor.area), scaleFactor);
      const y = beside(down(bounds), size.height, down(beyond), down(anchor.area), scaleFactor);
      area = { x, y, ...size };
    }
    for (const _ of placed) for (const other of placed) area = apart(area, bounds, other);
    placed.push({ electron, area });
  }
  return displays.flatMap((each) => placed.filter(({ electron }) => electron === each).map(({ area }) => area));
};

/** The primary display first, the others in Electron's order. */
export const knownDisplays = (screen: ElectronScreen, origins: Origins): KnownDisplay[] => {
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

/** The display that contains an area of the desktop, or most of it. */
export const displayUnder = (area: Area, known: readonly KnownDisplay[]): KnownDisplay | null => {
  const shared = ({ display }: KnownDisplay) =>
    Math.max(0, common(across(display), across(area))) * Math.max(0, common(down(display), down(area)));
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
