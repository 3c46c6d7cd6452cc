/**
 * Finds without decoding whether an image would cost too much to decode: too many scans in a JPEG, possibly compressed
 * texts in a PNG, or frames in a WebP. Pure.
 */
import type { MediaContainer } from '../../api/detect-media-kind.ts';
import type { ScanLimits } from './inspector-protocol.ts';

// Counts the scans of a JPEG without decoding it. A scan of a few bytes may still cover all pixels, so the number of
// scans and the pixels determine the cost of decoding.

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const FIRST_RESTART = 0xd0;
const START_OF_IMAGE = 0xd8;
const TEMPORARY = 0x01;

const standsAlone = (marker: number): boolean =>
  marker === TEMPORARY || (marker >= FIRST_RESTART && marker <= START_OF_IMAGE);

/** Markers inside segments (a camera's thumbnail) and after the end of the image are not counted. */
export const countScans = (jpeg: Uint8Array): number => {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  let scans = 0;
  let at = 0;
  while (at >= 0 && at + 1 < jpeg.length) {
    const marker = jpeg[at] === 0xff ? (jpeg[at + 1] ?? 0) : 0;
    if (marker === 0 || marker === 0xff) {
      // Scan data, a stuffed byte, or padding before a marker.
      at = jpeg.indexOf(0xff, at + 1);
    } else if (marker === END_OF_IMAGE) {
      return scans;
    } else if (standsAlone(marker)) {
      at += 2;
    } else {
      if (marker === START_OF_SCAN) scans += 1;
      if (at + 4 > jpeg.length) return scans;
      at += 2 + view.getUint16(at + 2);
    }
  }
  return scans;
};

/** Whether decoding would process too many million pixels in total. Cameras and encoders write 14 scans at most. */
export const hasTooManyScans = (jpeg: Uint8Array, megapixels: number, limits: ScanLimits): boolean => {
  const scans = countScans(jpeg);
  return scans > limits.always && scans * Math.max(1, megapixels) > limits.megapixels;
};

// Limits the chunks of a PNG or a WebP whose number is unrelated to the pixels but costs time.

interface Chunk {
  readonly type: string;
  /** Offset of the next chunk. */
  readonly end: number;
}

const PNG_SIGNATURE_BYTES = 8;
/** Length, type and checksum around a chunk's data. */
const PNG_CHUNK_BYTES = 12;
const WEBP_HEADER_BYTES = 12;
const RIFF_CHUNK_BYTES = 8;

const pngChunk = (png: Buffer, at: number): Chunk => ({
  type: png.toString('latin1', at + 4, at + 8),
  end: at + PNG_CHUNK_BYTES + png.readUInt32BE(at),
});

const webpChunk = (webp: Buffer, at: number): Chunk => {
  const size = webp.readUInt32LE(at + 4);
  return { type: webp.toString('latin1', at, at + 4), end: at + RIFF_CHUNK_BYTES + size + (size % 2) };
};

const count = (bytes: Buffer, start: number, read: typeof pngChunk, counts: (type: string) => boolean): number => {
  let found = 0;
  for (let at = start; at + RIFF_CHUNK_BYTES <= bytes.length; ) {
    const { type, end } = read(bytes, at);
    if (counts(type)) found += 1;
    at = end;
  }
  return found;
};

/** Each unpacks to 8 MB at most before the first pixel is read, twice. */
const PACKED_TEXTS_MAX = 64;
/** The reader scans all frames to show the first: three minutes at 60 frames a second. */
const FRAMES_MAX = 10_000;

const isPackedText = (type: string): boolean => type === 'zTXt' || type === 'iTXt';

/** Whether the picture takes long to open, regardless of its pixels. */
export const hasTooManyChunks = (bytes: Buffer, container: MediaContainer): boolean => {
  if (container === 'png') return count(bytes, PNG_SIGNATURE_BYTES, pngChunk, isPackedText) > PACKED_TEXTS_MAX;
  if (container === 'webp') return count(bytes, WEBP_HEADER_BYTES, webpChunk, (type) => type === 'ANMF') > FRAMES_MAX;
  return false;
};
