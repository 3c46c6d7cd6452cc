/**
 * Chooses the next encoding to try for a picture that the service would not accept unchanged: first lossless and
 * near-lossless ones, then lower quality without visible loss, then fewer pixels. Also lists the changes that an
 * encoding makes, and says whether it keeps 16 bits per channel. Pure.
 */
import type { ImageChange } from '../../ipc/protocol/image-conversion.ts';
import type { AcceptedFormat } from './detect-format.ts';
import { type Picture, SERVICE_PIXELS_MAX } from './probe-image.ts';

export interface Encoding {
  readonly format: AcceptedFormat;
  /**
   * `all`: lossless. `near`: near-lossless, off by a few shades with sharp edges. A number: the quality of the format,
   * to 100.
   */
  readonly keeps: 'all' | 'near' | number;
  /** Factor on width and height, to 1. */
  readonly scale: number;
}

/** The result of an attempt; `size` null: it timed out, or the format cannot hold the picture. */
export interface Tried {
  readonly encoding: Encoding;
  readonly size: number | null;
}

/** Maximum side of each format in pixels. */
const SIDE_MAX: Readonly<Record<AcceptedFormat, number>> = { png: 100_000, jpeg: 65_500, webp: 16_383, avif: 65_500 };
/** WebP encoding holds the picture in memory several times; this many pixels take about 600 MB. */
const WEBP_PIXELS_MAX = 16e6;

/** Below the last of these, JPEG and WebP artifacts become visible around text. */
const QUALITIES = [92, 86, 80];
/**
 * Largest factor that one more step can usually save: repacking a packed PNG, or going from lossless to near-lossless.
 */
const GAIN = 2;
/** A PNG with more bytes per sample than this is barely compressed. */
const PACKED_BYTES_PER_SAMPLE = 0.5;
/** Smallest scale; below it a picture no longer shows what the original did. */
const SCALE_MIN = 0.2;
const TRIES_MAX = 9;

/** The next encoding to try, or null where no encoding fits. `limit` in bytes. */
export const nextEncoding = (picture: Picture, limit: number, tried: readonly Tried[]): Encoding | null => {
  if (tried.length >= TRIES_MAX) return null;
  const scale = Math.min(1, Math.sqrt(SERVICE_PIXELS_MAX / (picture.width * picture.height)));
  const lossless = losslessEncodings(picture, limit, scale, tried).find(
    (encoding) =>
      !tried.some(({ encoding: other }) => other.format === encoding.format && other.keeps === encoding.keeps),
  );
  if (lossless) return lossless;
  const lossy = tried.filter(({ encoding }) => typeof encoding.keeps === 'number');
  return nextLossy(picture, limit, scale, lossy);
};

const losslessEncodings = (picture: Picture, limit: number, scale: number, tried: readonly Tried[]): Encoding[] => {
  if (picture.isLossy) return [];
  const { format, bytes, width, height } = picture;
  const isPacked = format === 'png' && bytes < PACKED_BYTES_PER_SAMPLE * 3 * width * height;
  const encodings: Encoding[] = [];
  if (!(isPacked && scale === 1 && bytes > GAIN * limit)) encodings.push({ format: 'png', keeps: 'all', scale });
  if (scale <= maxScale('webp', picture)) {
    encodings.push({ format: 'webp', keeps: 'all', scale });
    const lossless = tried.find(({ encoding }) => encoding.format === 'webp' && encoding.keeps === 'all')?.size ?? null;
    if (lossless !== null && lossless <= GAIN * limit) encodings.push({ format: 'webp', keeps: 'near', scale });
  }
  return encodings;
};

/** The largest scale that a format can hold, by its sides and by memory. */
const maxScale = (format: AcceptedFormat, { width, height, frames }: Picture): number => {
  const bySide = SIDE_MAX[format] / Math.max(width, height);
  return format === 'webp' ? Math.min(bySide, Math.sqrt(WEBP_PIXELS_MAX / (width * height * frames))) : bySide;
};

/** Decreasing qualities, then decreasing scales, chosen by the last result. */
const nextLossy = (picture: Picture, limit: number, scale: number, tried: readonly Tried[]): Encoding | null => {
  // Preserves transparency and animation.
  const format = picture.hasAlpha || picture.frames > 1 ? 'webp' : 'jpeg';
  const largest = Math.min(scale, maxScale(format, picture));
  const last = tried.at(-1);
  if (!last) return { format, keeps: QUALITIES[0] ?? 0, scale: largest };
  if (last.size === null) return null;
  const excess = last.size / limit;
  const lower = QUALITIES.filter((quality) => quality < (last.encoding.keeps as number));
  // Skips to the lowest quality where a small reduction cannot be enough.
  const quality = excess > 1.6 ? lower.at(-1) : lower[0];
  if (quality !== undefined) return { format, keeps: quality, scale: last.encoding.scale };
  const shrunk = last.encoding.scale * Math.min(0.9, Math.sqrt(1 / excess) * 0.97);
  return shrunk < SCALE_MIN * largest ? null : { ...last.encoding, scale: shrunk };
};

/** The changes that the encoding makes, as shown to the user. */
export const changesOf = (
  picture: Picture,
  { format, keeps, scale }: Encoding,
  metadata: 'stripped' | 'kept',
): ImageChange[] => {
  const isShallow = picture.depth === 'float' || (picture.depth === 'deep' && !keepsDepth(picture, { format, keeps }));
  const changes: Readonly<Record<ImageChange, boolean>> = {
    'metadata-removed': metadata === 'stripped' && picture.hasMetadata,
    repacked: format === picture.format && keeps === 'all' && scale === 1,
    converted: format !== picture.format,
    scaled: scale < 1,
    'quality-reduced': keeps !== 'all',
    'colours-reduced': isShallow || picture.space === 'print',
    'first-page-only': picture.hasMorePages,
  };
  return (Object.keys(changes) as ImageChange[]).filter((change) => changes[change]);
};

/** Only PNG supports 16 bits per channel. */
export const keepsDepth = (picture: Picture, { format, keeps }: Pick<Encoding, 'format' | 'keeps'>): boolean =>
  picture.depth === 'deep' && picture.space !== 'print' && format === 'png' && keeps === 'all';
