/**
 * Reads the metadata of a picture without decoding it: enough to decide whether it can be sent unchanged, and how it
 * may be encoded.
 */
import type { Metadata } from 'sharp';
import { LIMITS } from '../../api/limits.ts';
import type { ImageMetadata } from '../../ipc/protocol/image-conversion.ts';
import type { ImageFormat } from './detect-format.ts';
import type { Decode } from './sharp-decoder.ts';

export interface Picture extends ImageMetadata {
  readonly format: ImageFormat;
  /** Path for the decoder: the source, or the file decoded from it. */
  readonly path: string;
  /** The pixels are already lossy; then a good lossy encoding adds no visible loss. */
  readonly isLossy: boolean;
  readonly hasAlpha: boolean;
  /** `full`: colour resolution equals brightness resolution; text needs it. */
  readonly chroma: 'full' | 'halved';
  /** `deep`: integer samples of more than 8 bits per channel. `float`: high dynamic range. */
  readonly depth: 'plain' | 'deep' | 'float';
  /** The colour space of its profile. */
  readonly space: 'rgb' | 'grey' | 'print';
  /** Tags that an encoding without metadata drops. */
  readonly hasMetadata: boolean;
  /** More than one: an animation. */
  readonly frames: number;
  /** Pages after the one that is shown. */
  readonly hasMorePages: boolean;
  /** False: decoding would take too much memory. */
  readonly canBeOpened: boolean;
}

/** The service limits width x height; exactly this many pixels are accepted. */
export const SERVICE_PIXELS_MAX = LIMITS.imageMegapixels * 1e6;
/** Limits for pictures that are decoded row by row, and for those that are decoded in memory. */
const STREAMED_PIXELS_MAX = 500e6;
const WHOLE_PIXELS_MAX = 100e6;
const STREAMED = new Set(['png', 'jpeg', 'tiff']);
/** Formats whose pages are animation frames. */
const MOVING = new Set<ImageFormat>(['webp', 'gif']);

/** Throws where the decoder cannot read it. `bytes` are those of the source. */
export const probeImage = async (
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
    hasMetadata: [found.exif, found.xmp, found.iptc, found.comments].some((tag) => tag !== undefined),
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

/** The pixel limit for the decoder: a rotated or interlaced picture is completely in memory. */
const pixelsAllowed = ({ format, isProgressive, orientation = 1 }: Metadata): number =>
  STREAMED.has(format) && !isProgressive && orientation === 1 ? STREAMED_PIXELS_MAX : WHOLE_PIXELS_MAX;
