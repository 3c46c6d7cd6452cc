/** Draws the mouse pointer over pixels as the X server would; pure. */
import type { Area } from '../../../ipc/protocol/capture.ts';
import type { Pixels } from '../../ports.ts';

/** A pointer and its area on the desktop. */
export interface Pointer extends Area {
  /** Four bytes per pixel: blue, green, red, alpha; colours are premultiplied. */
  readonly data: Buffer;
}

/** `area`: the position of the pixels on the desktop. The pixels are modified. */
export const drawPointer = ({ width, height, data }: Pixels, area: Area, pointer: Pointer): void => {
  const left = pointer.x - area.x;
  const top = pointer.y - area.y;
  for (let row = Math.max(0, -top); row < Math.min(pointer.height, height - top); row++) {
    for (let column = Math.max(0, -left); column < Math.min(pointer.width, width - left); column++) {
      const from = (row * pointer.width + column) * 4;
      const to = ((top + row) * width + left + column) * 4;
      const transparency = 255 - (pointer.data[from + 3] as number);
      for (let channel = 0; channel < 3; channel++) {
        const over = pointer.data[from + 2 - channel] as number;
        data[to + channel] = over + Math.round(((data[to + channel] as number) * transparency) / 255);
      }
    }
  }
};
