/**
 * Looks into an image and makes its preview. The format must be what the signature said, the pixels within the limit,
 * and every row must decode, so that a truncated or damaged file is never stored. Runs in the inspector's child only.
 */
import sharp, { type Metadata } from 'sharp';
import type { MediaContainer } from '../../api/media-kind.ts';
import { readSealedFile, type SealedFile } from '../storage/sealed-file.ts';
import { type Inspection, type InspectionTask, PREVIEW_SIDE, type Preview, unsupported } from './inspection-result.ts';
import { hasTooManyScans } from './jpeg-scans.ts';
import { hasTooManyChunks } from './picture-chunks.ts';

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
const TOO_COMPLEX =
  'The image is damaged or too complex: it has too many scans, frames or texts. Open it in an editor and save it again.';

const PREVIEW_QUALITY = 80;
const SIDE = { width: PREVIEW_SIDE, height: PREVIEW_SIDE, fit: 'inside', withoutEnlargement: true } as const;

interface LookedInto {
  readonly inspection: Inspection;
  /** The preview, from the pixels that the inspection has decoded; null: the image gives none. */
  readonly preview: () => Promise<Uint8Array | null>;
}

const refused = (detail: string): LookedInto => ({ inspection: unsupported(detail), preview: async () => null });

/**
 * A width x height of exactly `maxPixels` passes. The file is decrypted into memory: no plaintext may reach the disk.
 * `weigh` hears how much is to be decoded before that begins.
 */
export const inspectImage = async (
  { file, kind, maxPixels, scanMegapixels }: InspectionTask,
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
    if (kind.container === 'jpeg' && hasTooManyScans(bytes, megapixels, scanMegapixels)) return refused(TOO_COMPLEX);
    weigh(megapixels);
    // Shrinking while loading would leave rows out; this way all of them are decoded, and no picture is kept whole.
    const whole = image.autoOrient().resize({ ...SIDE, fastShrinkOnLoad: false });
    const { data, info } = await whole.raw().toBuffer({ resolveWithObject: true });
    const small = { width: info.width, height: info.height, channels: info.channels };
    return {
      inspection: { ok: true, facts: { width, height, durationMs: null, videoCodec: null, hasAudio: false } },
      preview: () => sharp(data, { raw: small }).webp({ quality: PREVIEW_QUALITY }).toBuffer(),
    };
  } catch {
    // The decoder's words are about its own insides; what matters to the sender is that the bytes are not an image.
    return refused(DAMAGED);
  }
};

/**
 * The picture upright, its first frame if it moves, never larger than it is, and without what a camera wrote into it.
 * `turn`: degrees clockwise that a video wants its frames turned by.
 */
export const toPreview = async (picture: Buffer, { turn = 0 } = {}): Promise<Preview> => {
  const image = sharp(picture, { limitInputPixels: false, failOn: 'error', pages: 1 });
  const upright = turn === 0 ? image.autoOrient() : image.rotate(turn);
  return { kind: 'made', bytes: await upright.resize(SIDE).webp({ quality: PREVIEW_QUALITY }).toBuffer() };
};

/** Of an image that has been inspected. */
export const imagePreview = async (file: SealedFile): Promise<Preview> => {
  try {
    return await toPreview(await readSealedFile(file));
  } catch {
    return { kind: 'none' };
  }
};
