/**
 * Converts the displays that Electron reports (logical pixels, rounded) to the coordinates of captures (physical
 * pixels), and an area back to logical pixels for windows. Where the platform reports only logical positions,
 * neighbouring displays are placed without overlap.
 */
import type { Display as ElectronDisplay, Rectangle, Screen } from 'electron';
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

/**
 * Physical pixels of a logical length. Electron rounds the logical one, so that 2560 pixels at 1.5 come as 1707 and
 * back as 2560.5; real displays have even sides, which resolves the ambiguity.
 */
const physical = (length: number, scale: number): number => {
  const exact = length * scale;
  return Number.isInteger(scale) ? exact : 2 * Math.round(exact / 2);
};

const sizeOf = ({ bounds, scaleFactor }: ElectronDisplay) => ({
  width: physical(bounds.width, scaleFactor),
  height: physical(bounds.height, scaleFactor),
});

/** The primary display first, the others in Electron's order. */
export const knownDisplays = (screen: ElectronScreen, origins: Origins): KnownDisplay[] => {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  const all = [primary, ...others];
  const areas =
    origins === 'none'
      ? layOutDisplays(
          all.map((electron) => ({ ...sizeOf(electron), logical: electron.bounds, scale: electron.scaleFactor })),
        )
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
