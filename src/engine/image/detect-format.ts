/** Tells by its first bytes which image a file is. A file name has no say, and what is not named here is no image. */
import { detectMedia } from '../../api/media-kind.ts';
import { isSvg } from './is-svg.ts';

/** The service takes the first four; the others can be turned into one of them, but for `svg`. */
export type AcceptedFormat = 'png' | 'jpeg' | 'webp' | 'avif';
/** What ffmpeg decodes and libvips does not. */
export type ForeignFormat = 'bmp' | 'ico' | 'psd' | 'jp2' | 'jxl' | 'qoi';
export type ImageFormat = AcceptedFormat | 'gif' | 'tiff' | 'heic' | ForeignFormat | 'svg';

/** How much of a file `recogniseImage` wants to see. */
export const HEAD_BYTES = 64 * 1024;

const BEGINNINGS: readonly (readonly [string, ImageFormat])[] = [
  ['GIF87a', 'gif'],
  ['GIF89a', 'gif'],
  ['II*\0', 'tiff'],
  ['MM\0*', 'tiff'],
  ['II+\0', 'tiff'],
  ['MM\0+', 'tiff'],
  ['8BPS\0\x01', 'psd'],
  ['\0\0\x01\0', 'ico'],
  ['qoif', 'qoi'],
  ['\xff\x0a', 'jxl'],
  ['\0\0\0\x0cJXL \r\n\x87\n', 'jxl'],
  ['\0\0\0\x0cjP  \r\n\x87\n', 'jp2'],
  ['\xff\x4f\xff\x51', 'jp2'],
];

const HEIC_BRAND = /^(hei[cxms]|hev[cxms]|mif1|msf1)$/;
/** Bitmaps begin with two letters that many a text begins with; their second header tells its own size. */
const BITMAP_HEADERS = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

export const detectFormat = async (head: Buffer): Promise<ImageFormat | null> => {
  const media = await detectMedia(head);
  if (media) return media.type === 'IMAGE' ? (media.container as AcceptedFormat) : null;
  const text = head.toString('latin1', 0, 32);
  const known = BEGINNINGS.find(([beginning]) => text.startsWith(beginning));
  if (known) return known[1];
  if (text.startsWith('ftyp', 4)) return HEIC_BRAND.test(text.slice(8, 12)) ? 'heic' : null;
  if (text.startsWith('BM') && head.length > 18 && BITMAP_HEADERS.has(head.readUInt32LE(14))) return 'bmp';
  return isSvg(head) ? 'svg' : null;
};
