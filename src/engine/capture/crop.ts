/** Cuts an area out of the screenshots of displays. Pixels are unchanged; those outside of all displays are black. */
import type { Area, Display } from '../../ipc/protocol/capture.ts';
import type { Pixels } from '../ports.ts';
import { isSameArea, overlapOf } from './areas.ts';

export interface Frame {
  readonly display: Display;
  readonly pixels: Pixels;
}

const CHANNELS = 4;
/** Black with alpha 255, as bytes in memory: 00 00 00 ff. */
const BLACK = Buffer.from([0, 0, 0, 255]);

/** The area may span displays. */
export const crop = (frames: readonly Frame[], area: Area): Pixels => {
  const exact = frames.find(({ display }) => isSameArea(display, area));
  if (exact) return exact.pixels;
  const { width, height } = area;
  const data = Buffer.alloc(width * height * CHANNELS, BLACK);
  for (const { display, pixels } of frames) {
    const shared = overlapOf(display, area);
    if (!shared) continue;
    const rowBytes = shared.width * CHANNELS;
    for (let row = 0; row < shared.height; row++) {
      const from = ((shared.y - display.y + row) * pixels.width + (shared.x - display.x)) * CHANNELS;
      const to = ((shared.y - area.y + row) * width + (shared.x - area.x)) * CHANNELS;
      data.set(pixels.data.subarray(from, from + rowBytes), to);
    }
  }
  return { width, height, data };
};
