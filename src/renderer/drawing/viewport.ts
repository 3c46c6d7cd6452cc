/**
 * Pan and zoom of the edited image. At a zoom of 1, one image pixel is one device pixel at any display scale, so that
 * 100 % is always sharp.
 */
import { clamp } from '../../base/common/clamp.ts';
import { centreOf } from './box-geometry.ts';
import type { Box, Point, Size } from './mark.ts';

export interface View {
  /** Device pixels per image pixel; `fit`: as large as fits, at most 1. */
  readonly zoom: number | 'fit';
  /** The image pixel in the centre; unused while the whole image fits. */
  readonly centre: Point;
}

/** Size of the drawing area in CSS pixels; `scale`: device pixels per CSS pixel. */
export interface Viewport extends Size {
  readonly scale: number;
}

/** Position of the image in the viewport, in CSS pixels. */
export interface Placement extends Point {
  readonly scale: number;
}

const LEAST_ZOOM = 0.02;
const MOST_ZOOM = 16;
/** Margin around a fitting image, for its handles. */
const MARGIN = 28;

const zoomToFit = (frame: Size, { width, height, scale }: Viewport): number => {
  const available = { width: Math.max(1, width - 2 * MARGIN), height: Math.max(1, height - 2 * MARGIN) };
  const zoom = scale * Math.min(available.width / frame.width, available.height / frame.height);
  return clamp(zoom, LEAST_ZOOM, 1);
};

export const zoomOf = (view: View, frame: Size, viewport: Viewport): number =>
  view.zoom === 'fit' ? zoomToFit(frame, viewport) : view.zoom;

/** One axis: centred if the image fits, otherwise clamped so that only the margin beside it is empty. */
const begin = (centre: number, start: number, length: number, room: number, scale: number): number => {
  if (length * scale <= room - 2 * MARGIN) return room / 2 - (start + length / 2) * scale;
  const reach = (room / 2 - MARGIN) / scale;
  return room / 2 - clamp(centre, start + reach, start + length - reach) * scale;
};

export const placeImage = (view: View, frame: Box, viewport: Viewport): Placement => {
  const scale = zoomOf(view, frame, viewport) / viewport.scale;
  const centre = view.zoom === 'fit' ? centreOf(frame) : view.centre;
  // Whole device pixels: an offset of half a pixel would blur the image.
  const sharp = (value: number) => Math.round(value * viewport.scale) / viewport.scale;
  return {
    scale,
    x: sharp(begin(centre.x, frame.x, frame.width, viewport.width, scale)),
    y: sharp(begin(centre.y, frame.y, frame.height, viewport.height, scale)),
  };
};

/** From CSS pixels of the viewport to image pixels. */
export const toPicture = ({ x, y }: Point, placement: Placement): Point => ({
  x: (x - placement.x) / placement.scale,
  y: (y - placement.y) / placement.scale,
});

export const toViewport = ({ x, y }: Point, placement: Placement): Point => ({
  x: placement.x + x * placement.scale,
  y: placement.y + y * placement.scale,
});

/** The image pixel in the centre of the viewport. */
export const centreIn = (placement: Placement, { width, height }: Viewport): Point =>
  toPicture({ x: width / 2, y: height / 2 }, placement);

/** Zooms while keeping the image pixel under `at` (CSS pixels of the viewport) in place. */
export const zoomAt = (view: View, factor: number, at: Point, frame: Box, viewport: Viewport): View => {
  const before = placeImage(view, frame, viewport);
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

/** Moves the view by CSS pixels. */
export const panBy = (view: View, by: Point, frame: Box, viewport: Viewport): View => {
  const placement = placeImage(view, frame, viewport);
  const centre = centreIn(placement, viewport);
  return {
    zoom: placement.scale * viewport.scale,
    centre: { x: centre.x - by.x / placement.scale, y: centre.y - by.y / placement.scale },
  };
};
