/** Generates pictures that are small to send and have many pixels, or are as slow to read as can be. Deterministic. */
import { Readable } from 'node:stream';
import { crc32, createDeflate, deflateSync } from 'node:zlib';

const marker = (code: number, payload: Uint8Array): Buffer => {
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
};

/** Bits as scan data: padded with ones, and a zero after each byte of ones. */
const scanData = (bits: string): Buffer => {
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  const bytes: number[] = [];
  for (let at = 0; at < padded.length; at += 8) {
    const byte = Number.parseInt(padded.slice(at, at + 8), 2);
    bytes.push(byte);
    if (byte === 0xff) bytes.push(0);
  }
  return Buffer.from(bytes);
};

/** Blocks without a coefficient that one code can skip. */
const RUN = 32_767;
const RUN_CODE = `0${'1'.repeat(14)}`;

/**
 * A grey progressive JPEG of `scans` scans. Every scan after the first repeats all coefficients of all blocks as zero,
 * which is valid and costs some 60 bytes of the file and a pass over all pixels.
 */
export const manyScansJpeg = (side: number, scans: number): Buffer => {
  const blocks = Math.ceil(side / 8) ** 2;
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(side, 1);
  frame.writeUInt16BE(side, 3);
  /** One code of one bit for one symbol. */
  const huffman = (place: number, symbol: number): Buffer =>
    marker(0xc4, Buffer.from([place, 1, ...Array<number>(15).fill(0), symbol]));
  const startOfScan = (from: number, to: number): Buffer => marker(0xda, Buffer.from([1, 1, 0, from, to, 0]));
  const again = Buffer.concat([startOfScan(1, 63), scanData(RUN_CODE.repeat(Math.ceil(blocks / RUN)))]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    marker(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    marker(0xc2, frame),
    huffman(0x00, 0),
    huffman(0x10, 0xe0),
    startOfScan(0, 0),
    scanData('0'.repeat(blocks)),
    ...Array<Buffer>(scans - 1).fill(again),
    Buffer.from([0xff, 0xd9]),
  ]);
};

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(8 + data.length + 4);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), 8 + data.length);
  return chunk;
};

const png = (width: number, height: number, { interlaced = false, before = [] as readonly Buffer[] } = {}) => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 16 bits a channel, four channels: the maximum bytes per pixel.
  header.set([16, 6, 0, 0, interlaced ? 1 : 0], 8);
  // Adam7 starts new rows in each pass; rows of zeros, and more than enough of them.
  const rows = Buffer.alloc(height * (8 * width + 1) + (interlaced ? 8 * (width + height) * 16 : 0));
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    ...before,
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', new Uint8Array()),
  ]);
};

/** 64 bits a pixel, in seven passes: decoding needs it in memory as a whole. */
export const interlacedPng = (width: number, height: number): Buffer => png(width, height, { interlaced: true });

/** One colour in 8 bits a channel, made from one row that is repeated instead of all pixels. */
export const flatPng = async (width: number, height: number): Promise<Buffer> => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  // Filter 1: each byte is added to the pixel before; filter 2: to the one above.
  const [first, next] = [Buffer.alloc(1 + 3 * width), Buffer.alloc(1 + 3 * width)];
  first.set([1, 0x44, 0x57, 0xc9]);
  next[0] = 2;
  const together = Math.ceil(2 ** 18 / next.length);
  const block = Buffer.concat(Array<Buffer>(together).fill(next));
  const blocks = Array<Buffer>(Math.floor((height - 1) / together)).fill(block);
  const rest = block.subarray(0, ((height - 1) % together) * next.length);
  const rows = Readable.from([first, ...blocks, rest]);
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', Buffer.concat((await rows.pipe(createDeflate()).toArray()) as Buffer[])),
    pngChunk('IEND', new Uint8Array()),
  ]);
};

/** Texts that unpack to 7 MB each. */
export const inflatingPng = (texts: number): Buffer => {
  const text = Buffer.concat([
    Buffer.from('Comment\0\0', 'latin1'),
    deflateSync(Buffer.alloc(7_000_000, 0x61), { level: 9 }),
  ]);
  return png(8, 8, { before: Array<Buffer>(texts).fill(pngChunk('zTXt', text)) });
};

const riffChunk = (type: string, data: Uint8Array): Buffer => {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};

/** An animated picture of `frames` frames, all like the one of `still`, a lossless WebP of the same side. */
export const manyFramesWebp = (still: Buffer, side: number, frames: number): Buffer => {
  const picture = still.subarray(12);
  const size = (value: number): number[] => [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff];
  const canvas = riffChunk('VP8X', Buffer.from([0x02, 0, 0, 0, ...size(side - 1), ...size(side - 1)]));
  const head = Buffer.from([...size(0), ...size(0), ...size(side - 1), ...size(side - 1), ...size(10), 0]);
  const frame = riffChunk('ANMF', Buffer.concat([head, picture]));
  const loop = riffChunk('ANIM', Buffer.alloc(6));
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), canvas, loop, ...Array<Buffer>(frames).fill(frame)]);
  return riffChunk('RIFF', body);
};
