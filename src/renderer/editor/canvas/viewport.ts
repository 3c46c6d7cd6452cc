/**
 * Which part of the picture is seen, and how large. A zoom of 1 shows one pixel of the picture as one pixel of the screen,
 * whatever the scale of the display, so 100 % is always sharp.
 */
import { centreOf } from '../marks/box.ts';
import type { Box, Point, Size } from '../marks/mark.ts';

export interface View {
  /** Pixels of the screen for one pixel of the picture; `fit`: as large as there is room for, at most 1. */
  readonly zoom: number | 'fit';
  /** The pixel of the picture in the middle; it has no meaning while all fits. */
  readonly centre: Point;
}

/** What is drawn on: its size in CSS pixels, and pixels of the screen for one of these. */
export interface Viewport extends Size {
  readonly scale: number;
}

/** How the picture lies in the viewport, in CSS pixels. */
export interface Placement extends Point {
  readonly scale: number;
}

const LEAST_ZOOM = 0.02;
const MOST_ZOOM = 16;
/** Room around a picture that fits, for its handles. */
const MARGIN = 28;

const zoomToFit = (frame: Size, { width, height, scale }: Viewport): number => {
  const room = { width: Math.max(1, width - 2 * MARGIN), height: Math.max(1, height - 2 * MARGIN) };
  const zoom = scale * Math.min(room.width / frame.width, room.height / frame.height);
  return Math.max(LEAST_ZOOM, Math.min(1, zoom));
};

export const zoomOf = (view: View, frame: Size, viewport: Viewport): number =>
  view.zoom === 'fit' ? zoomToFit(frame, viewport) : view.zoom;

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** Along one axis: in the middle if it fits, else moved so far that no emptiness shows beside it. */
const begin = (centre: number, start: number, length: number, room: number, scale: number): number => {
  if (length * scale <= room - 2 * MARGIN) return room / 2 - (start + length / 2) * scale;
  const reach = (room / 2 - MARGIN) / scale;
  return room / 2 - clamp(centre, start + reach, start + length - reach) * scale;
};

export const place = (view: View, frame: Box, viewport: Viewport): Placement => {
  const scale = zoomOf(view, frame, viewport) / viewport.scale;
  const centre = view.zoom === 'fit' ? centreOf(frame) : view.centre;
  // Whole pixels of the screen: half a pixel beside would blur everything.
  const sharp = (value: number) => Math.round(value * viewport.scale) / viewport.scale;
  return {
    scale,
    x: sharp(begin(centre.x, frame.x, frame.width, viewport.width, scale)),
    y: sharp(begin(centre.y, frame.y, frame.height, viewport.height, scale)),
  };
};

/** From CSS pixels of the viewport to pixels of the picture. */
export const toPicture = ({ x, y }: Point, placement: Placement): Point => ({
  x: (x - placement.x) / placement.scale,
  y: (y - placement.y) / placement.scale,
});

export const toViewport = ({ x, y }: Point, placement: Placement): Point => ({
  x: placement.x + x * placement.scale,
  y: placement.y + y * placement.scale,
});

/** What is in the middle of the viewport. */
export const centreIn = (placement: Placement, { width, height }: Viewport): Point =>
  toPicture({ x: width / 2, y: height / 2 }, placement);

/** Zooms so that the pixel of the picture under `at` (CSS pixels of the viewport) stays there. */
export const zoomAt = (view: View, factor: number, at: Point, frame: Box, viewport: Viewport): View => {
  const before = place(view, frame, viewport);
  const zoom = clamp(before.scale * viewport.scale * factor, LEAST_ZOOM, MOST_ZOOM);
  const still = toPicture(at, before);
  const scale = zoom / viewport.scale;
  return {
    zoom,
    centre: {
      x: still.x + (viewport.width / 2 - at.x) / scale,
      y: still.y + (viewport.height / 2 - at.y) / scale,
    },
  };
};

/** Moves what is seen by CSS pixels. */
export const panBy = (view: View, by: Point, frame: Box, viewport: Viewport): View => {
  const placement = place(view, frame, viewport);
  const centre = centreIn(placement, viewport);
  return {
    zoom: placement.scale * viewport.scale,
    centre: { x: centre.x - by.x / placement.scale, y: centre.y - by.y / placement.scale },
  };
};
