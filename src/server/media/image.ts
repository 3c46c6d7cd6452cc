/**
 * Looks into an image and makes its preview. The format must be what the signature said, the pixels within the limit,
 * and every row must decode, so that a truncated or damaged file is never stored. Runs in the inspector's child only.
 */
import sharp, { type Metadata } from 'sharp';
import type { MediaContainer } from '../../contract/service/media-kind.ts';
import { readSealedFile, type SealedFile } from '../storage/sealed-file.ts';
import { type Inspection, type InspectionTask, PREVIEW_SIDE, type Preview, unsupported } from './inspection.ts';

// One image at a time and nothing kept: memory belongs to the server, not to a cache.
sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
});

const isFormat = ({ format, compression }: Metadata, container: MediaContainer): boolean =>
  container === 'avif' ? format === 'heif' && compression === 'av1' : format === container;

/** Length, type and checksum of a PNG's chunk, around its data. */
const CHUNK_BYTES = 12;
const PNG_SIGNATURE_BYTES = 8;
const IEND_BYTES = Buffer.from('0000000049454e44ae426082', 'hex');

/** Decoders are content with the last row and do not miss the end of the file. */
const isCutOff = (png: Buffer): boolean => {
  let at = PNG_SIGNATURE_BYTES;
  while (at + CHUNK_BYTES <= png.length) {
    if (png.subarray(at, at + CHUNK_BYTES).equals(IEND_BYTES)) return false;
    at += CHUNK_BYTES + png.readUInt32BE(at);
  }
  return true;
};

const DAMAGED = 'The image is damaged or cut off and cannot be decoded.';

/** Thumbnails need every row; asking for one is the cheapest full decode that keeps no picture in memory. */
const DECODED_SIDE = 64;

/** A width x height of exactly `maxPixels` passes. The file is decrypted into memory: no plaintext may reach the disk. */
export const inspectImage = async ({ file, kind, maxPixels }: InspectionTask): Promise<Inspection> => {
  try {
    const bytes = await readSealedFile(file);
    const image = sharp(bytes, { limitInputPixels: false, failOn: 'error' });
    const header = await image.metadata();
    if (!isFormat(header, kind.container))
      return unsupported(`The file is not a ${kind.container.toUpperCase()} image.`);
    const { width, height } = header.autoOrient;
    if (width * height > maxPixels)
      return unsupported(
        `The image has ${width} x ${height} pixels; at most ${maxPixels / 1e6} megapixels are accepted.`,
      );
    if (kind.container === 'png' && isCutOff(bytes)) return unsupported(DAMAGED);
    await image.resize(DECODED_SIDE, DECODED_SIDE, { fit: 'fill', fastShrinkOnLoad: false }).raw().toBuffer();
    return { ok: true, facts: { width, height, durationMs: null, videoCodec: null, hasAudio: false } };
  } catch {
    // The decoder's words are about its own insides; what matters to the sender is that the bytes are not an image.
    return unsupported(DAMAGED);
  }
};

const PREVIEW_QUALITY = 80;

/**
 * The picture upright, its first frame if it moves, never larger than it is, and without what a camera wrote into it.
 * `turn`: degrees clockwise that a video wants its frames turned by.
 */
export const toPreview = async (picture: Buffer, { turn = 0 } = {}): Promise<Preview> => {
  const image = sharp(picture, { limitInputPixels: false, failOn: 'error', pages: 1 });
  const upright = turn === 0 ? image.autoOrient() : image.rotate(turn);
  const side = { width: PREVIEW_SIDE, height: PREVIEW_SIDE, fit: 'inside', withoutEnlargement: true } as const;
  return { kind: 'made', bytes: await upright.resize(side).webp({ quality: PREVIEW_QUALITY }).toBuffer() };
};

/** Of an image that has been inspected. */
export const imagePreview = async (file: SealedFile): Promise<Preview> => {
  try {
    return await toPreview(await readSealedFile(file));
  } catch {
    return { kind: 'none' };
  }
};
