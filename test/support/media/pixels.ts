/** Pictures as raw pixels, for tests that compare them one by one. */
import sharp from 'sharp';
import { seededBytes } from '../seeded-random.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGBA, row by row. */
  readonly data: Buffer;
}

export interface PixelArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Opaque noise: neighbouring pixels differ, so that any mixture is detected. */
export const noise = (width: number, height: number, seed: number): Pixels => {
  const data = seededBytes(`noise ${seed}`, width * height * 4);
  for (let at = 3; at < data.length; at += 4) data[at] = 255;
  return { width, height, data };
};

const isWithin = (area: PixelArea, x: number, y: number): boolean =>
  x >= area.x && y >= area.y && x < area.x + area.width && y < area.y + area.height;

/** The same picture with different noise in one area. */
export const withOther = ({ width, height, data }: Pixels, area: PixelArea, seed: number): Pixels => {
  const other = noise(width, height, seed).data;
  const mixed = Buffer.from(data);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (isWithin(area, x, y)) other.copy(mixed, (y * width + x) * 4, (y * width + x) * 4, (y * width + x + 1) * 4);
  return { width, height, data: mixed };
};

export const pngOf = ({ width, height, data }: Pixels): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 1 })
    .toBuffer();

export const pixelsOf = async (png: Uint8Array): Promise<Pixels> => {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
};

/** Where `picture`, at offset `at` in `original`, differs from it: `x,y` in pixels of the original. */
export const differences = (
  original: Pixels,
  picture: Pixels,
  at: { readonly x: number; readonly y: number } = { x: 0, y: 0 },
): readonly { readonly x: number; readonly y: number }[] => {
  const found = [];
  for (let y = 0; y < picture.height; y += 1)
    for (let x = 0; x < picture.width; x += 1) {
      const one = (y * picture.width + x) * 4;
      const other = ((y + at.y) * original.width + x + at.x) * 4;
      if (picture.data.compare(original.data, other, other + 4, one, one + 4) !== 0)
        found.push({ x: x + at.x, y: y + at.y });
    }
  return found;
};

type Rows = Omit<Pixels, 'data'> & { readonly data: Uint8Array };
/** The rows that differ, of those that both have. */
export const differingRows = (one: Rows, other: Rows): readonly number[] => {
  const row = ({ width, data }: Rows, y: number) => data.subarray(y * width * 4, (y + 1) * width * 4);
  const rows = Array.from({ length: Math.min(one.height, other.height) }, (_, y) => y);
  return rows.filter((y) => Buffer.compare(row(one, y), row(other, y)) !== 0);
};

/** The chunk types of a PNG, in order. */
export const chunksOf = (png: Buffer): readonly string[] => {
  const kinds: string[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) kinds.push(png.toString('latin1', at + 4, at + 8));
  return kinds;
};
