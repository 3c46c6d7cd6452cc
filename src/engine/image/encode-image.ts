/**
 * Encodes a picture to a file, upright and within a time limit. Keeps its colour profile, unless the profile is for
 * print or the picture has floating-point samples. Also syncs a finished file to the disk.
 */
import { chmod, stat } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { open, rm } from '../../base/node/retrying-fs.ts';
import { type Encoding, keepsDepth } from './encoding-plan.ts';
import type { Picture } from './probe-image.ts';
import type { Decode } from './sharp-decoder.ts';

const SECONDS_MAX = 180;
/** Above this size Huffman optimisation is off: it saves 5 % of the bytes but keeps all coefficients in memory. */
const OPTIMISED_PIXELS_MAX = 16e6;

/**
 * Resolves to the size in bytes, or null after the time limit. Throws where the picture is damaged or the disk is full.
 */
export const encode = async (
  decode: Decode,
  picture: Picture,
  encoding: Encoding,
  target: string,
  metadata: 'strip' | 'keep',
): Promise<number | null> => {
  const isMoving = picture.frames > 1;
  let image = decode(picture.path, { failOn: 'error', limitInputPixels: false, ...(isMoving && { pages: -1 }) })
    .timeout({ seconds: SECONDS_MAX })
    .autoOrient();
  if (encoding.scale < 1) image = resized(image, picture, encoding.scale);
  if (keepsDepth(picture, encoding)) image = image.toColourspace(picture.space === 'grey' ? 'grey16' : 'rgb16');
  if (metadata === 'keep') image = image.keepExif().keepXmp();
  // A print profile does not apply to the RGB result.
  if (picture.space !== 'print' && picture.depth !== 'float') image = image.keepIccProfile();
  try {
    await encoded(image, picture, encoding).toFile(target);
  } catch (error) {
    await rm(target, { force: true });
    if (error instanceof Error && error.message.startsWith('timeout')) return null;
    throw error;
  }
  await chmod(target, 0o600);
  return (await stat(target)).size;
};

/** Both sides are rounded down: with the width alone the decoder rounds the height up, beyond the service's limit. */
const resized = (image: Sharp, { width, height }: Picture, scale: number): Sharp => {
  const scaled = (side: number) => Math.max(1, Math.floor(side * scale));
  return image.resize(scaled(width), scaled(height), { fit: 'fill' });
};

const encoded = (image: Sharp, picture: Picture, { format, keeps, scale }: Encoding): Sharp => {
  const quality = typeof keeps === 'number' ? keeps : 60;
  switch (format) {
    case 'png':
      return image.png({ compressionLevel: 9, adaptiveFiltering: true });
    case 'webp':
      if (keeps === 'all') return image.webp({ lossless: true, exact: true, effort: 2 });
      if (keeps === 'near') return image.webp({ nearLossless: true, quality, effort: 2 });
      return image.webp({ quality, alphaQuality: 100, smartSubsample: true });
    default:
      return image.jpeg({
        quality,
        chromaSubsampling: picture.chroma === 'full' ? '4:4:4' : '4:2:0',
        optimiseCoding: picture.width * picture.height * scale * scale <= OPTIMISED_PIXELS_MAX,
      });
  }
};

/** Syncs the file, so that it survives a power cut before it is used. */
export const sync = async (path: string): Promise<void> => {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
};
