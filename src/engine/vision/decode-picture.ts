/** Decodes a picture into grey pixels with dark text on a light background, in the size at which text is read best. */
import type { Metadata } from 'sharp';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { openDecoder } from '../image/decoder.ts';

export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  /** One byte each, rows without padding. */
  readonly pixels: Buffer;
}

/** More than the service accepts, and what the memory of the process allows. */
const MEGAPIXELS_MAX = 64;
/** A background darker than this is inverted: Tesseract is trained on dark text. */
const DARK_BELOW = 112;

const isTooLarge = ({ width, height }: Metadata): boolean => width * height > MEGAPIXELS_MAX * 1e6;

/** Errors: IMAGE_UNREADABLE, TEXT_NOT_READ for too many pixels. */
export const decodePicture = async (picture: string | Uint8Array): Promise<Result<GreyPicture>> => {
  try {
    const decode = await openDecoder();
    const input = typeof picture === 'string' ? picture : Buffer.from(picture);
    const image = decode(input, { limitInputPixels: false, failOn: 'error' });
    if (isTooLarge(await image.metadata()))
      return err(
        failure('TEXT_NOT_READ', `The picture has more than ${MEGAPIXELS_MAX} megapixels.`, {
          params: { reason: 'too-large', megapixelsMax: MEGAPIXELS_MAX },
        }),
      );
    const { data, info } = await image
      .autoOrient()
      .flatten({ background: 'white' })
      .greyscale()
      .toColourspace('b-w')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return ok({ width: info.width, height: info.height, pixels: data });
  } catch (error) {
    return err(failure('IMAGE_UNREADABLE', `The picture cannot be decoded: ${String(error)}`));
  }
};

/** The most frequent half of the pixels decides: the background covers more than the text. */
const isDark = (pixels: Buffer): boolean => {
  const counts = new Uint32Array(256);
  for (const pixel of pixels) counts[pixel] = (counts[pixel] ?? 0) + 1;
  let darker = 0;
  for (let level = 0; level < DARK_BELOW; level++) darker += counts[level] ?? 0;
  return darker > pixels.length / 2;
};

/** A dark picture inverted; a light one unchanged. */
export const withLightBackground = (picture: GreyPicture): GreyPicture =>
  isDark(picture.pixels) ? { ...picture, pixels: Buffer.from(picture.pixels.map((pixel) => 255 - pixel)) } : picture;

export const enlarge = async ({ width, height, pixels }: GreyPicture, factor: number): Promise<GreyPicture> => {
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .resize(Math.round(width * factor), Math.round(height * factor), { kernel: 'cubic', fit: 'fill' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
};
