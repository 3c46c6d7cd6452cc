/**
 * Opens one window of the overlay, which shows the screenshot of a display for the selection of an area, and lays it
 * over that display: exactly, or in full screen where windows cannot be placed (Wayland).
 */
import type { BrowserWindow, Rectangle } from 'electron';
import { pageAddress } from '../page-urls.ts';
import { createFloatingWindow } from './floating-window.ts';

/** Bounds are rounded again where a window crosses to a display of another scale. */
const PLACING_TRIES = 3;

/** `compositor`: windows cannot be placed (Wayland); full screen is the best available. */
export type Placing = 'exact' | 'compositor';

export interface OverlayShell {
  readonly platform: NodeJS.Platform;
  readonly placing: Placing;
}

/** Hidden, and its page is loading. `number`: of the display that its page shows. */
export const openOverlayWindow = (
  number: number,
  bounds: Rectangle,
  { platform, placing }: OverlayShell,
): BrowserWindow => {
  const window = createFloatingWindow(
    {
      ...bounds,
      backgroundColor: '#000000',
      roundedCorners: false,
      // No frame and no system animation while it appears.
      thickFrame: false,
      movable: false,
      fullscreenable: placing === 'compositor',
      enableLargerThanScreen: true,
      title: 'Linkshot',
      // A panel takes the keyboard and leaves the other program in front.
      ...(platform === 'darwin' && { type: 'panel' }),
    },
    { level: 'screen-saver', painting: 'while-hidden' },
  );
  void window.loadURL(pageAddress('overlay', String(number)));
  return window;
};

const isAt = (window: BrowserWindow, { x, y, width, height }: Rectangle): boolean => {
  const now = window.getBounds();
  return now.x === x && now.y === y && now.width === width && now.height === height;
};

export const setBoundsExactly = (window: BrowserWindow, bounds: Rectangle): void => {
  for (let tries = 0; tries < PLACING_TRIES && !isAt(window, bounds); tries++) window.setBounds(bounds);
};

/** Shows it over its display without taking the keyboard, where possible. Returns whether its bounds are right. */
export const coverDisplay = (window: BrowserWindow, bounds: Rectangle, { placing }: OverlayShell): boolean => {
  if (placing === 'compositor') {
    window.setFullScreen(true);
    window.show();
    return true;
  }
  setBoundsExactly(window, bounds);
  window.showInactive();
  setBoundsExactly(window, bounds);
  return isAt(window, bounds);
};
