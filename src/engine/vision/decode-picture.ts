/**
 * Decodes a picture into greyscale pixels for the recognition of its text and codes. Also enlarges a greyscale picture
 * by a factor. What is transparent is white, or black where asked: letters in the colour of one are lost on it.
 */
import type { Metadata, Sharp } from 'sharp';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { openDecoder } from '../image/sharp-decoder.ts';
import type { Picture } from './vision-protocol.ts';

export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  /** One byte each, rows without padding. */
  readonly pixels: Buffer;
}

/** More than the service accepts, and what the memory of the process allows. */
const MEGAPIXELS_MAX = 64;

const isTooLarge = ({ width, height }: Metadata): boolean => width * height > MEGAPIXELS_MAX * 1e6;

const openPicture = async (picture: Picture): Promise<Sharp> => {
  const decode = await openDecoder();
  if (typeof picture === 'string' || picture instanceof Uint8Array)
    return decode(typeof picture === 'string' ? picture : bufferOf(picture), {
      limitInputPixels: false,
      failOn: 'error',
    });
  const { data, width, height } = picture;
  return decode(bufferOf(data), { raw: { width, height, channels: 4 }, limitInputPixels: false });
};

/** The same memory. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Errors: IMAGE_UNREADABLE, TEXT_NOT_READ for too many pixels. */
export const decodePicture = async (
  picture: Picture,
  background: 'white' | 'black' = 'white',
): Promise<Result<GreyPicture>> => {
  try {
    const image = await openPicture(picture);
    if (isTooLarge(await image.metadata()))
      return err(
        failure('TEXT_NOT_READ', `The image has more than ${MEGAPIXELS_MAX} megapixels.`, {
          params: { reason: 'too-large', megapixelsMax: MEGAPIXELS_MAX },
        }),
      );
    const { data, info } = await image
      .autoOrient()
      .flatten({ background })
      .greyscale()
      .toColourspace('b-w')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return ok({ width: info.width, height: info.height, pixels: data });
  } catch (error) {
    return err(failure('IMAGE_UNREADABLE', `The picture cannot be decoded: ${String(error)}`));
  }
};

/** On white, and on black where that shows something else. Errors: those of `decodePicture`. */
export const decodeOnBackgrounds = async (
  picture: Picture,
): Promise<Result<readonly [onWhite: GreyPicture, ...onBlack: GreyPicture[]]>> => {
  const onWhite = await decodePicture(picture);
  if (!onWhite.ok) return onWhite;
  const { hasAlpha } = await (await openPicture(picture)).metadata();
  if (!hasAlpha) return ok([onWhite.value]);
  const onBlack = await decodePicture(picture, 'black');
  if (!onBlack.ok) return onBlack;
  return ok(onBlack.value.pixels.equals(onWhite.value.pixels) ? [onWhite.value] : [onWhite.value, onBlack.value]);
};

export const enlarge = async ({ width, height, pixels }: GreyPicture, factor: number): Promise<GreyPicture> => {
  const decode = await openDecoder();
  const { data, info } = await decode(pixels, { raw: { width, height, channels: 1 }, limitInputPixels: false })
    .resize(Math.round(width * factor), Math.round(height * factor), { kernel: 'cubic', fit: 'fill' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
};
