/** What is known of a picture before it is decoded: enough to say whether it can pass, and how it may be encoded. */
import type { Metadata } from 'sharp';
import { LIMITS } from '../../api/limits.ts';
import type { ImageMetadata } from '../../ipc/protocol/image-fit.ts';
import type { Decode } from './decoder.ts';
import type { ImageFormat } from './detect-format.ts';

export interface Picture extends ImageMetadata {
  readonly format: ImageFormat;
  /** Where the decoder finds it: the source, or what was decoded from it. */
  readonly path: string;
  /** Its pixels are an approximation already; then a good approximation of them is no loss that can be seen. */
  readonly isLossy: boolean;
  readonly hasAlpha: boolean;
  /** `full`: colours are as fine as light and dark; text needs it. */
  readonly chroma: 'full' | 'halved';
  /** `deep`: more than 8 bits a channel, whole numbers. `float`: high dynamic range. */
  readonly depth: 'plain' | 'deep' | 'float';
  /** Its colour profile fits what it is encoded to. */
  readonly space: 'rgb' | 'grey' | 'print';
  /** Tags that an encoding without metadata leaves behind. */
  readonly hasMetadata: boolean;
  /** More than one: it moves. */
  readonly frames: number;
  /** Behind the one that is shown. */
  readonly hasMorePages: boolean;
  /** False: its pixels would take more memory than a desktop should give. */
  readonly canBeOpened: boolean;
}

/** The service counts width x height; exactly this many pass. */
export const PIXELS_MAX = LIMITS.imageMegapixels * 1e6;
/** Of pictures that are decoded row by row, and of those that must be in memory as a whole. */
const STREAMED_PIXELS_MAX = 500e6;
const WHOLE_PIXELS_MAX = 100e6;
const STREAMED = new Set(['png', 'jpeg', 'tiff']);
/** What others call pages are frames here. */
const MOVING = new Set<ImageFormat>(['webp', 'gif']);

/** Throws where the decoder cannot make sense of it. `bytes` are those of the source. */
export const readPicture = async (
  decode: Decode,
  input: { readonly path: string; readonly format: ImageFormat; readonly bytes: number; readonly content?: Buffer },
): Promise<Picture> => {
  const { format, path, bytes, content } = input;
  const found = await decode(content ?? path, { limitInputPixels: false }).metadata();
  const { width, height } = found.autoOrient;
  const frames = MOVING.has(format) ? (found.pages ?? 1) : 1;
  return {
    ...{ format, path, bytes, width, height },
    isLossy: isLossy(format, found, content),
    hasAlpha: found.hasAlpha,
    chroma: found.chromaSubsampling === undefined || found.chromaSubsampling.startsWith('4:4:4') ? 'full' : 'halved',
    depth: depthOf(found),
    space: found.space === 'cmyk' ? 'print' : /^(b-w|grey16)$/.test(found.space) ? 'grey' : 'rgb',
    hasMetadata: [found.exif, found.xmp, found.iptc, found.comments].some((told) => told !== undefined),
    frames,
    hasMorePages: (found.pages ?? 1) > frames,
    canBeOpened: width * height * frames <= pixelsAllowed(found),
  };
};

const isLossy = (format: ImageFormat, { compression }: Metadata, content?: Buffer): boolean => {
  if (format === 'webp') return content ? !content.subarray(0, 64 * 1024).includes('VP8L') : true;
  return format === 'jpeg' || format === 'heic' || compression === 'av1' || format === 'jxl' || format === 'jp2';
};

const depthOf = ({ depth }: Metadata): Picture['depth'] => {
  if (depth === 'uchar') return 'plain';
  return depth === 'ushort' ? 'deep' : 'float';
};

/** How many pixels the decoder may be asked for: a rotated or interlaced picture is in memory as a whole. */
const pixelsAllowed = ({ format, isProgressive, orientation = 1 }: Metadata): number =>
  STREAMED.has(format) && !isProgressive && orientation === 1 ? STREAMED_PIXELS_MAX : WHOLE_PIXELS_MAX;
