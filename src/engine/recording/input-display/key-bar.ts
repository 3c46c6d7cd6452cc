/** Draws the names of pressed keys as a picture: light text on a dark bar with round corners. */
import type { Area } from '../../../ipc/protocol/capture.ts';
import type { Pixels } from '../../ports.ts';
import { pixelRows } from './pixel-rows.ts';

export interface KeyBar {
  readonly pixels: Pixels;
  /** Its shape, in rows of pixels. */
  readonly rows: readonly Area[];
}

/** At scale 1. */
const HEIGHT = 44;
const FONT = 20;
const PADDING = 18;
const RADIUS = 10;
/** The text of a smaller bar cannot be read. */
const SMALLEST_SCALE = 0.4;
const INK = [0xff, 0xff, 0xff] as const;
const PAPER = [0x16, 0x18, 0x1d] as const;

/** A bar wider than `widest` becomes smaller as a whole. Rejects where no font is installed. */
export const drawKeyBar = async (keys: readonly string[], scale: number, widest: number): Promise<KeyBar> => {
  const words = keys.join(' + ');
  const mask = await drawText(words, FONT * scale);
  const width = mask.width + 2 * Math.round(PADDING * scale);
  if (width > widest && scale > SMALLEST_SCALE)
    return drawKeyBar(keys, Math.max(SMALLEST_SCALE, (scale * widest) / width - 0.02), widest);
  const height = Math.round(HEIGHT * scale);
  const data = new Uint8Array(width * height * 4);
  const [left, top] = [(width - mask.width) >> 1, (height - mask.height) >> 1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [column, row] = [x - left, y - top];
      const isText = column >= 0 && row >= 0 && column < mask.width && row < mask.height;
      const ink = isText ? (mask.data[row * mask.width + column] as number) / 255 : 0;
      const colour = PAPER.map((paper, index) => Math.round(paper + ink * ((INK[index] as number) - paper)));
      data.set([...colour, 255], (y * width + x) * 4);
    }
  return { pixels: { width, height, data }, rows: roundedRows(width, height, RADIUS * scale) };
};

/** How much of each pixel the text covers, from 0 to 255. */
const drawText = async (words: string, size: number): Promise<Pixels> => {
  const { default: sharp } = await import('sharp');
  // It is read as markup.
  const text = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const drawn = sharp({ text: { text, font: `sans bold ${size.toFixed(1)}`, dpi: 72 } });
  const { data, info } = await drawn.extractChannel(0).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
};

const roundedRows = (width: number, height: number, radius: number): readonly Area[] =>
  pixelRows(width, height, (x, y) => {
    const dx = Math.max(radius - x - 0.5, x + 0.5 - (width - radius), 0);
    const dy = Math.max(radius - y - 0.5, y + 0.5 - (height - radius), 0);
    return Math.hypot(dx, dy) <= radius;
  });
