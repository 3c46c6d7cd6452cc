/** Maps pixels of a display to positions in the page, and back. */

import type { Area } from '../../../ipc/protocol/capture.ts';
import { onDisplay, type Point } from '../selection/selection-geometry.ts';

/** Lengths in CSS pixels; `factor`: CSS pixels per display pixel. */
export interface View {
  readonly left: number;
  readonly top: number;
  readonly factor: number;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  /** Width of the page. */
  readonly width: number;
  readonly height: number;
}

type PageSize = Pick<View, 'width' | 'height' | 'ratio'>;

/** A window that covers its display may differ by rounding; the image is not scaled for that. */
const ROUNDING = 2;

/** One image pixel is one device pixel; only a display larger than the page is scaled down to fit. */
export const viewOf = (display: Area, { width, height, ratio }: PageSize): View => {
  const exact = 1 / ratio;
  const fits = display.width * exact <= width + ROUNDING && display.height * exact <= height + ROUNDING;
  const factor = fits ? exact : Math.min(width / display.width, height / display.height);
  const centred = (room: number, length: number): number => {
    const gap = Math.max(0, (room - length * factor) / 2);
    return Math.round(gap * ratio) / ratio;
  };
  return { left: centred(width, display.width), top: centred(height, display.height), factor, ratio, width, height };
};

/** A pointer on the border of two pixels may be reported slightly before it. */
const HAIR = 0.01;

/** The display pixel at a position of the page; outside the image the nearest one. */
export const pixelAt = (view: View, display: Area, clientX: number, clientY: number): Point => {
  const along = (client: number, start: number): number => Math.floor((client - start) / view.factor + HAIR);
  const point = { x: display.x + along(clientX, view.left), y: display.y + along(clientY, view.top) };
  return onDisplay(point, display);
};

/** The area in CSS pixels of the page. */
export const boxInPage = (view: View, display: Area, area: Area): Area => ({
  x: view.left + (area.x - display.x) * view.factor,
  y: view.top + (area.y - display.y) * view.factor,
  width: area.width * view.factor,
  height: area.height * view.factor,
});
