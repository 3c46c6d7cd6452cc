/**
 * Strips the metadata of a WebP: Exif except its orientation, XMP, chunks of unknown programs, and data after its end.
 * Pixels, animation and the colour profile stay unchanged.
 */
import { onlyOrientation } from './minimal-exif.ts';
import { createPieces, type Stripped } from './stripped-file.ts';

const PICTURE = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const FRAME = new Set(['VP8 ', 'VP8L', 'ALPH']);
const EXIF = 'Exif\0\0';
/** Flags of VP8X. */
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;
const FRAME_HEAD = 16;

interface Chunk {
  readonly type: string;
  readonly start: number;
  /** End of the payload; `end` includes the padding. */
  readonly payloadEnd: number;
  readonly end: number;
}

/** Null: the file is not a complete WebP. */
export const stripWebp = (file: Buffer): Stripped | null => {
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP')
    return null;
  const end = 8 + file.readUInt32LE(4);
  const chunks = end <= file.length ? chunksOf(file, 12, end) : null;
  if (!chunks?.some(({ type }) => type === 'VP8 ' || type === 'VP8L' || type === 'ANMF')) return null;

  const orientation = exifOf(file, chunks);
  const body = createPieces(file);
  body.keep(0, 12);
  let isExifWritten = false;
  for (const chunk of chunks) {
    if (chunk.type === 'EXIF' && orientation && !isExifWritten) {
      isExifWritten = true;
      body.replace(chunk.start, chunk.end, orientation);
    } else if (chunk.type === 'VP8X') {
      body.replace(chunk.start, chunk.end, withoutFlags(file.subarray(chunk.start, chunk.end), orientation !== null));
    } else if (chunk.type === 'ANMF') {
      const frame = frameOf(file, chunk);
      if (!frame) return null;
      body.replace(chunk.start, chunk.end, frame);
    } else if (PICTURE.has(chunk.type)) {
      body.keep(chunk.start, chunk.end);
    }
  }
  const stripped = body.done();
  if (!stripped.changed) return stripped;
  const [first = Buffer.alloc(0), ...others] = stripped.pieces;
  const head = Buffer.from(first.subarray(0, 12));
  head.writeUInt32LE(stripped.pieces.reduce((sum, piece) => sum + piece.length, 0) - 8, 4);
  return { pieces: [head, first.subarray(12), ...others], changed: true };
};

const chunksOf = (file: Buffer, from: number, to: number): readonly Chunk[] | null => {
  const chunks: Chunk[] = [];
  for (let at = from; at + 8 <= to; ) {
    const payloadEnd = at + 8 + file.readUInt32LE(at + 4);
    if (payloadEnd > to) return null;
    // Some writers omit the padding of the last chunk.
    const end = Math.min(payloadEnd + (payloadEnd % 2), to);
    chunks.push({ type: file.toString('latin1', at, at + 4), start: at, payloadEnd, end });
    at = end;
  }
  return chunks;
};

/** The Exif chunk with only the orientation, where the picture needs one. */
const exifOf = (file: Buffer, chunks: readonly Chunk[]): Buffer | null => {
  const chunk = chunks.find(({ type }) => type === 'EXIF');
  if (!chunk) return null;
  const payload = file.subarray(chunk.start + 8, chunk.payloadEnd);
  const isPrefixed = payload.toString('latin1', 0, EXIF.length) === EXIF;
  const tiff = onlyOrientation(isPrefixed ? payload.subarray(EXIF.length) : payload);
  return tiff && riffChunk('EXIF', tiff);
};

const withoutFlags = (chunk: Buffer, isExifKept: boolean): Buffer => {
  const bytes = Buffer.from(chunk);
  bytes[8] = (bytes[8] ?? 0) & ~HAS_XMP & ~(isExifKept ? 0 : HAS_EXIF);
  return bytes;
};

/** Strips an animation frame, which contains its own chunks. Null: they are malformed. */
const frameOf = (file: Buffer, { start, payloadEnd, end }: Chunk): Buffer | null => {
  const from = start + 8 + FRAME_HEAD;
  const chunks = from <= payloadEnd ? chunksOf(file, from, payloadEnd) : null;
  if (!chunks) return null;
  if (chunks.every(({ type }) => FRAME.has(type))) return file.subarray(start, end);
  const kept = chunks.filter(({ type }) => FRAME.has(type)).map((chunk) => file.subarray(chunk.start, chunk.end));
  return riffChunk('ANMF', Buffer.concat([file.subarray(start + 8, from), ...kept]));
};

const riffChunk = (type: string, payload: Buffer): Buffer => {
  const bytes = Buffer.alloc(8 + payload.length + (payload.length % 2));
  bytes.write(type, 0, 'latin1');
  bytes.writeUInt32LE(payload.length, 4);
  payload.copy(bytes, 8);
  return bytes;
};
