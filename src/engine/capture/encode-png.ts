/**
 * Encodes pixels as 8-bit RGB PNG without an image library, because loading one takes longer than encoding a region.
 * Pixels are lossless; alpha is dropped.
 */
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import type { Pixels } from '../ports.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes per pixel: in the source, and in the file. */
const SOURCE_CHANNELS = 4;
const CHANNELS = 3;
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
  const stride = width * CHANNELS;
  const rows = Buffer.allocUnsafe((stride + 1) * height);
  let above = new Uint8Array(stride);
  let row = new Uint8Array(stride);
  const left = new Uint8Array(stride);
  const up = new Uint8Array(stride);
  let from = 0;
  for (let y = 0; y < height; y++) {
    for (let at = 0; at < stride; at += CHANNELS, from += SOURCE_CHANNELS) {
      row[at] = data[from] as number;
      row[at + 1] = data[from + 1] as number;
      row[at + 2] = data[from + 2] as number;
    }
    let [leftSum, upSum] = [0, 0];
    for (let at = 0; at < stride; at++) {
      const value = row[at] as number;
      const byLeft = (value - (at < CHANNELS ? 0 : (row[at - CHANNELS] as number))) & 0xff;
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
