/** A page made of seeded pixels, and what a window shows of it: strips that stay, animation and repeated rows. */
import type { Pixels } from '../../../src/engine/ports.ts';
import { seededRandom } from '../seeded-random.ts';

export interface PageOptions {
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  /** The content repeats after this many rows. */
  readonly period?: number;
}

/** Lines of text-like dashes on paper, with blank rows between. */
export const makePage = ({ width, height, seed, period }: PageOptions): Pixels => {
  const random = seededRandom(seed);
  const data = new Uint8Array(width * height * 4).fill(255);
  const rows = period ?? height;
  for (let y = 0; y < rows; y++) {
    if (y % 18 > 11) continue;
    for (let x = 10; x < width - 30; x++)
      if (random() < 0.3) for (const part of [0, 1, 2]) data[(y * width + x) * 4 + part] = Math.floor(random() * 128);
  }
  for (let y = rows; y < height; y++)
    data.copyWithin(y * width * 4, (y % rows) * width * 4, ((y % rows) + 1) * width * 4);
  return { width, height, data };
};

export interface ViewOptions {
  readonly height: number;
  readonly header?: Pixels;
  readonly footer?: Pixels;
  /** Changes some pixels, as an animation does. */
  readonly paint?: (set: (x: number, y: number, value: number) => void) => void;
}

/** The view, scrolled by `top` rows. */
export const viewOf = (page: Pixels, top: number, { height, header, footer, paint }: ViewOptions): Pixels => {
  const rowBytes = page.width * 4;
  const data = page.data.slice(top * rowBytes, (top + height) * rowBytes);
  if (header) data.set(header.data, 0);
  if (footer) data.set(footer.data, (height - footer.height) * rowBytes);
  paint?.((x, y, value) => data.fill(value, y * rowBytes + x * 4, y * rowBytes + x * 4 + 3));
  return { width: page.width, height, data };
};
