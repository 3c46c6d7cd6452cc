/**
 * Encodes pixels as a PNG, once for the same pixels, and writes it to a file that only the user can read. The file gets
 * its final name when it is complete and synced, unless the caller refuses it then. Also reads the width and height of
 * a complete PNG.
 */

import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { readFile, rename, rm } from '../../base/node/retrying-fs.ts';
import { diskFullOrThrow } from '../../common/disk-full.ts';
import type { Pixels } from '../ports.ts';
import { UNFINISHED } from '../spool-file-endings.ts';

const encoded = new WeakMap<Pixels, Promise<Buffer>>();

/** Lossless; the same pixels are encoded once. Captured alpha is always full, and a file without it is smaller. */
export const encodePicture = (pixels: Pixels): Promise<Buffer> => {
  const known = encoded.get(pixels);
  if (known !== undefined) return known;
  const png = pixels.width * pixels.height <= SMALL_PIXELS ? encodePng(pixels) : encodeByLibrary(pixels);
  encoded.set(pixels, png);
  return png;
};

/** Loaded only for a large picture or a file of another program: loading takes longer than encoding a region. */
const library = async () => (await import('sharp')).default;

const encodeByLibrary = async ({ width, height, data }: Pixels): Promise<Buffer> =>
  (await library())(data, { raw: { width, height, channels: CHANNELS } })
    .removeAlpha()
    .png(FAST)
    .toBuffer();

/** Above this size the library's compiled code makes up for its loading time. */
const SMALL_PIXELS = 1e6;
const CHANNELS = 4;
/**
 * 35 to 75 ms for 1080p. The filters more than halve photographic content; a higher level costs time and saves little.
 */
const FAST = { compressionLevel: 2, adaptiveFiltering: true } as const;

/**
 * `accept` is called when the bytes are synced and before the file gets its final name; if it returns false, the file
 * is deleted. Errors: DISK_FULL, CANCELLED.
 */
export const writePicture = async (pixels: Pixels, path: string, accept: () => boolean): Promise<Result<void>> => {
  const unfinished = path + UNFINISHED;
  const png = await encodePicture(pixels);
  try {
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(png);
      await file.sync();
    } finally {
      await file.close();
    }
    if (accept()) {
      await rename(unfinished, path);
      return ok(undefined);
    }
    await rm(unfinished, { force: true });
    return err(failure('CANCELLED', 'The capture was cancelled.'));
  } catch (error) {
    await rm(unfinished, { force: true });
    return diskFullOrThrow(error);
  }
};

/** Width and height of a complete PNG; null: it is not one. */
export const measurePicture = async (path: string): Promise<{ width: number; height: number } | null> => {
  try {
    const sharp = await library();
    // Read here because the decoder does not retry when a virus scanner locks the file, and the caller may delete it
    // right after.
    const png = await readFile(path);
    const { format, width, height } = await sharp(png).metadata();
    if (format !== 'png') return null;
    // Decoding to the end proves that the file is complete.
    await sharp(png, { failOn: 'warning' }).stats();
    return { width, height };
  } catch {
    return null;
  }
};

// Encodes pixels as 8-bit RGB PNG without an image library, because loading one takes longer than encoding a region.
// Pixels are lossless; alpha is dropped.

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes per pixel: in the source, and in the file. */
const SOURCE_CHANNELS = 4;
const RGB_CHANNELS = 3;
const BIT_DEPTH = 8;
const COLOUR_RGB = 2;
const FILTER = { left: 1, above: 2 } as const;
/** A higher level costs time and saves little. */
const COMPRESSION = { level: 2, memLevel: 9 } as const;

const pack = promisify<Buffer, typeof COMPRESSION, Buffer>(deflate);

const chunk = (type: string, data: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
};

const header = ({ width, height }: Pixels): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = BIT_DEPTH;
  data[9] = COLOUR_RGB;
  return chunk('IHDR', data);
};

/** Absolute value of a signed byte difference: the filter with the smaller row sum compresses better. */
const distance = (difference: number): number => (difference < 128 ? difference : 256 - difference);

/** The filtered rows: differences from the left pixel or from the row above. */
const filtered = ({ width, height, data }: Pixels): Buffer => {
  const stride = width * RGB_CHANNELS;
  const rows = Buffer.allocUnsafe((stride + 1) * height);
  let above = new Uint8Array(stride);
  let row = new Uint8Array(stride);
  const left = new Uint8Array(stride);
  const up = new Uint8Array(stride);
  let from = 0;
  for (let y = 0; y < height; y++) {
    for (let at = 0; at < stride; at += RGB_CHANNELS, from += SOURCE_CHANNELS) {
      row[at] = data[from] as number;
      row[at + 1] = data[from + 1] as number;
      row[at + 2] = data[from + 2] as number;
    }
    let [leftSum, upSum] = [0, 0];
    for (let at = 0; at < stride; at++) {
      const value = row[at] as number;
      const byLeft = (value - (at < RGB_CHANNELS ? 0 : (row[at - RGB_CHANNELS] as number))) & 0xff;
      const byUp = (value - (above[at] as number)) & 0xff;
      left[at] = byLeft;
      up[at] = byUp;
      leftSum += distance(byLeft);
      upSum += distance(byUp);
    }
    const at = y * (stride + 1);
    rows[at] = leftSum < upSum ? FILTER.left : FILTER.above;
    rows.set(leftSum < upSum ? left : up, at + 1);
    [above, row] = [row, above];
  }
  return rows;
};

export const encodePng = async (pixels: Pixels): Promise<Buffer> => {
  const packed = await pack(filtered(pixels), COMPRESSION);
  return Buffer.concat([SIGNATURE, header(pixels), chunk('IDAT', packed), chunk('IEND', new Uint8Array())]);
};
