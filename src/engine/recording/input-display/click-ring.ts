/**
 * Shapes of the ring that marks a click: one ring for the left button, two for the right one, a broken one for the
 * others. Pure.
 */
import type { Area } from '../../../ipc/protocol/capture.ts';
import { pixelRows } from './pixel-rows.ts';

export interface ClickRing {
  /** Width and height in pixels; the click is in the middle. */
  readonly side: number;
  /** 0xrrggbb. */
  readonly colour: number;
  /** Rows of pixels: all of the ring, and what has its colour; the rest is its outline. */
  readonly outline: readonly Area[];
  readonly fill: readonly Area[];
}

const RADIUS = 18;
const INNER_RADIUS = 10;
const FILL = 2;
const OUTLINE = 3.5;
/** Buttons 4 to 7 are the wheel. */
const WHEEL = [4, 5, 6, 7];
const RIGHT = 3;
const COLOURS = { left: 0xff_b0_00, right: 0x3f_a9_ff, other: 0x4f_d1_8b } as const;

/** Null: turning the wheel is no click. `scale`: pixels of the screen for each of a usual one. */
export const clickRing = (button: number, scale: number): ClickRing | null => {
  if (WHEEL.includes(button)) return null;
  const kind = button === 1 ? 'left' : button === RIGHT ? 'right' : 'other';
  const radii = kind === 'right' ? [RADIUS, INNER_RADIUS] : [RADIUS];
  const middle = Math.ceil((RADIUS + OUTLINE) * scale);
  const side = 2 * middle + 1;
  const within = (half: number) => (x: number, y: number) => {
    const [dx, dy] = [Math.abs(x - middle) / scale, Math.abs(y - middle) / scale];
    if (kind === 'other' && Math.min(dx, dy) > RADIUS / 2) return false;
    return radii.some((radius) => Math.abs(Math.hypot(dx, dy) - radius) < half);
  };
  return {
    side,
    colour: COLOURS[kind],
    outline: pixelRows(side, side, within(OUTLINE)),
    fill: pixelRows(side, side, within(FILL)),
  };
};
