/** Limits the chunks of a PNG or a WebP whose number is unrelated to the pixels but costs time. */
import type { MediaContainer } from '../../api/media-kind.ts';

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
