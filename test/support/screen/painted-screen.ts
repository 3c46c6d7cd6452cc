/** A screen capturer with known pixels: for capture logic, where a real screen adds nothing. */

import { ok } from '../../../src/api/errors.ts';
import type { Pixels, ScreenCapturer } from '../../../src/engine/ports.ts';
import type { Area, Display, OpenWindow } from '../../../src/ipc/protocol/capture.ts';

export interface PaintedScreen extends ScreenCapturer {
  /** Set it to delay `freeze`. */
  gate: Promise<void>;
  /** The expected pixels of an area, RGB. */
  expected(area: Area): Buffer;
}

/** Each pixel encodes its position on the desktop, and that a display is there. */
const colourAt = (x: number, y: number): readonly [number, number, number] => [
  x & 0xff,
  y & 0xff,
  0x80 | ((x >> 8) & 7),
];

export const paintScreen = (areas: readonly Area[], windows: readonly OpenWindow[] = []): PaintedScreen => {
  const displays: readonly Display[] = areas.map((area, index) => ({
    ...area,
    number: index + 1,
    name: `Display ${index + 1}`,
    scale: 1,
  }));
  const isShown = (x: number, y: number) =>
    areas.some((area) => x >= area.x && y >= area.y && x < area.x + area.width && y < area.y + area.height);
  const colours = (area: Area) =>
    Array.from({ length: area.width * area.height }, (_, index) => {
      const x = area.x + (index % area.width);
      const y = area.y + Math.floor(index / area.width);
      return isShown(x, y) ? colourAt(x, y) : ([0, 0, 0] as const);
    });
  const pixelsOf = (area: Area): Pixels => ({
    width: area.width,
    height: area.height,
    data: Uint8Array.from(colours(area).flatMap((colour) => [...colour, 255])),
  });
  const screen: PaintedScreen = {
    gate: Promise.resolve(),
    displays: async () => ok(displays),
    windows: async () => ok(windows),
    grab: async (area) => ok(pixelsOf(area)),
    async freeze() {
      await screen.gate;
      return ok(displays.map((display) => ({ display, pixels: pixelsOf(display) })));
    },
    expected: (area) => Buffer.from(colours(area).flat()),
  };
  return screen;
};
