/**
 * Inspects uploaded images and makes previews of them and of frames of videos, in the inspector's child process only.
 * It refuses an image whose format differs from its signature, that exceeds the pixel limit, that costs too much to
 * decode, or that cannot be decoded completely. `limitDecoder` restricts the image library to the accepted formats for
 * the whole process.
 */
import sharp, { type Metadata } from 'sharp';
import type { MediaContainer } from '../../api/detect-media-kind.ts';
import { readSealedFile, type SealedFile } from '../storage/sealed-reader.ts';
import { hasTooManyChunks, hasTooManyScans } from './decoding-cost.ts';
import {
  type Inspection,
  type InspectionTask,
  PREVIEW_SIDE,
  type Preview,
  type PreviewTask,
  unsupported,
} from './inspector-protocol.ts';

/** For this process as a whole: only the formats of the service, only from memory. */
export const limitDecoder = (): void => {
  // One image at a time and without a cache: the server needs the memory.
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['Png', 'Jpeg', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
  });
};

const isFormat = ({ format, compression }: Metadata, container: MediaContainer): boolean =>
  container === 'avif' ? format === 'heif' && compression === 'av1' : format === container;

/** Length, type and checksum of a PNG's chunk, around its data. */
const CHUNK_BYTES = 12;
const PNG_SIGNATURE_BYTES = 8;
const IEND_BYTES = Buffer.from('0000000049454e44ae426082', 'hex');

/** Decoders stop at the last row and do not notice a missing end of the file. */
const isCutOff = (png: Buffer): boolean => {
  let at = PNG_SIGNATURE_BYTES;
  while (at + CHUNK_BYTES <= png.length) {
    if (png.subarray(at, at + CHUNK_BYTES).equals(IEND_BYTES)) return false;
    at += CHUNK_BYTES + png.readUInt32BE(at);
  }
  return true;
};

const DAMAGED = 'The image is damaged or cut off and cannot be decoded.';
const TOO_COMPLEX =
  'The image is damaged or too complex: it has too many scans, frames or texts. Open it in an editor and save it again.';

const PREVIEW_QUALITY = 80;
const SIDE = { width: PREVIEW_SIDE, height: PREVIEW_SIDE, fit: 'inside', withoutEnlargement: true } as const;

interface LookedInto {
  readonly inspection: Inspection;
  /** The preview, from the pixels that the inspection has decoded; null: not available. */
  readonly preview: () => Promise<Uint8Array | null>;
}

const refused = (detail: string): LookedInto => ({ inspection: unsupported(detail), preview: async () => null });

/**
 * A width x height of exactly `maxPixels` passes. The file is decrypted into memory: no plaintext may reach the disk.
 * `weigh` gets the size to decode in advance.
 */
export const inspectImage = async (
  { file, kind, maxPixels, scans }: InspectionTask,
  weigh: (megapixels: number) => void,
): Promise<LookedInto> => {
  try {
    const bytes = await readSealedFile(file);
    if (hasTooManyChunks(bytes, kind.container)) return refused(TOO_COMPLEX);
    const image = sharp(bytes, { limitInputPixels: false, failOn: 'error', pages: 1 });
    const header = await image.metadata();
    if (!isFormat(header, kind.container)) return refused(`The file is not a ${kind.container.toUpperCase()} image.`);
    const { width, height } = header.autoOrient;
    if (width * height > maxPixels) {
      const most = maxPixels / 1e6;
      return refused(`The image has ${width} x ${height} pixels; at most ${most} megapixels are accepted.`);
    }
    if (kind.container === 'png' && isCutOff(bytes)) return refused(DAMAGED);
    const megapixels = (width * height) / 1e6;
    if (kind.container === 'jpeg' && hasTooManyScans(bytes, megapixels, scans)) return refused(TOO_COMPLEX);
    weigh(megapixels);
    // Shrinking while loading would skip rows; this decodes all of them, without keeping the full picture in memory.
    const whole = image.autoOrient().resize({ ...SIDE, fastShrinkOnLoad: false });
    const { data, info } = await whole.raw().toBuffer({ resolveWithObject: true });
    const small = { width: info.width, height: info.height, channels: info.channels };
    return {
      inspection: { ok: true, metadata: { width, height, durationMs: null, videoCodec: null, hasAudio: false } },
      preview: () => sharp(data, { raw: small }).webp({ quality: PREVIEW_QUALITY }).toBuffer(),
    };
  } catch {
    // The decoder's message is about its internals; the sender needs to know that the bytes are not an image.
    return refused(DAMAGED);
  }
};

/**
 * The picture upright, its first frame if animated, never enlarged, and without camera metadata. `turn`: clockwise
 * rotation of a video's frames in degrees.
 */
export const toPreview = async (picture: Buffer, { turn = 0 } = {}): Promise<Preview> => {
  const image = sharp(picture, { limitInputPixels: false, failOn: 'error', pages: 1 });
  const upright = turn === 0 ? image.autoOrient() : image.rotate(turn);
  return { kind: 'made', bytes: await upright.resize(SIDE).webp({ quality: PREVIEW_QUALITY }).toBuffer() };
};

/** For an image that has passed the inspection, and for a preview that becomes a JPEG. */
export const imagePreview = async (file: SealedFile, format: PreviewTask['format']): Promise<Preview> => {
  try {
    const picture = await readSealedFile(file);
    if (format === 'webp') return await toPreview(picture);
    const opaque = sharp(picture, { failOn: 'error' }).resize(SIDE).flatten({ background: '#fff' });
    return { kind: 'made', bytes: await opaque.jpeg({ quality: PREVIEW_QUALITY }).toBuffer() };
  } catch {
    return { kind: 'none' };
  }
};
