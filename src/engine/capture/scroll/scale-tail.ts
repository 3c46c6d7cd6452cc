/** Scales the last rows of a tall picture down for the preview of a scrolling capture, by averaging pixels. Pure. */
import type { Pixels } from '../../ports.ts';

const NOTHING: Pixels = { width: 0, height: 0, data: new Uint8Array(0) };

/** Never larger than the picture. */
export const scaleTail = (
  picture: Uint32Array,
  { width, length }: { readonly width: number; readonly length: number },
  wanted: { readonly width: number; readonly rowsMax: number },
): Pixels => {
  if (width === 0 || length === 0) return NOTHING;
  const to = Math.min(wanted.width, width);
  const scale = width / to;
  const rows = Math.max(1, Math.min(wanted.rowsMax, Math.round(length / scale)));
  const first = Math.max(0, length - rows * scale);
  const data = new Uint8Array(to * rows * 4);
  for (let y = 0; y < rows; y++) {
    const [top, bottom] = spanOf(first, y, scale, length);
    for (let x = 0; x < to; x++) {
      const [left, right] = spanOf(0, x, scale, width);
      let [red, green, blue] = [0, 0, 0];
      for (let row = top; row < bottom; row++)
        for (let column = left; column < right; column++) {
          const pixel = picture[row * width + column] as number;
          red += pixel & 0xff;
          green += (pixel >>> 8) & 0xff;
          blue += (pixel >>> 16) & 0xff;
        }
      const count = (bottom - top) * (right - left);
      data.set([red / count, green / count, blue / count, 255], (y * to + x) * 4);
    }
  }
  return { width: to, height: rows, data };
};

/** At least one of the picture's rows or columns. */
const spanOf = (first: number, at: number, scale: number, most: number): readonly [number, number] => {
  const from = Math.min(most - 1, Math.floor(first + at * scale));
  return [from, Math.max(from + 1, Math.min(most, Math.floor(first + (at + 1) * scale)))];
};
