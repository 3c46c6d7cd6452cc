/** Synchronous PNG encoding and decoding: `nativeImage` is synchronous, and sharp is not. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Channels of a pixel by PNG's colour type; palettes and 16 bits are not supported. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** `data`: RGBA, rows without padding. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

const chunk = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
};

export const encodePng = ({ width, height, data }: Raster): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (width * 4 + 1));
  for (let y = 0; y < height; y++) data.copy(rows, y * (width * 4 + 1) + 1, y * width * 4, (y + 1) * width * 4);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const paeth = (left: number, up: number, corner: number): number => {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
};

/** Reverts the filter of each row in place; returns the rows without their filter bytes. */
const unfilter = (rows: Buffer, height: number, rowBytes: number, step: number): Buffer => {
  const plain = Buffer.alloc(height * rowBytes);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (rowBytes + 1)];
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x;
      const left = x >= step ? (plain[at - step] as number) : 0;
      const up = y > 0 ? (plain[at - rowBytes] as number) : 0;
      const corner = y > 0 && x >= step ? (plain[at - rowBytes - step] as number) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      plain[at] = ((rows[y * (rowBytes + 1) + 1 + x] as number) + guess) & 0xff;
    }
  }
  return plain;
};

/** Null for anything but a supported PNG. */
export const decodePng = (png: Buffer): Raster | null => {
  if (!png.subarray(0, 8).equals(SIGNATURE)) return null;
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = CHANNELS[png[25] ?? -1];
  if (channels === undefined || png[24] !== 8 || png[28] !== 0) return null;
  const parts: Buffer[] = [];
  for (let at = 8; at + 8 <= png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const plain = unfilter(inflateSync(Buffer.concat(parts)), height, width * channels, channels);
  const data = Buffer.alloc(width * height * 4, 0xff);
  const isGrey = channels < 3;
  for (let pixel = 0; pixel < width * height; pixel++) {
    const from = pixel * channels;
    for (let part = 0; part < 3; part++) data[pixel * 4 + part] = plain[from + (isGrey ? 0 : part)] as number;
    if (channels % 2 === 0) data[pixel * 4 + 3] = plain[from + channels - 1] as number;
  }
  return { width, height, data };
};
