/**
 * Detects the image format of a file by its first bytes, and SVG by its first element; the file name is ignored.
 * Formats not listed here are not images.
 */

import { detectMedia } from '../../api/detect-media-kind.ts';
import { withoutByteOrderMark } from '../../base/common/byte-order-mark.ts';

/** Formats that the service accepts. */
export type AcceptedFormat = 'png' | 'jpeg' | 'webp' | 'avif';
/** Formats that ffmpeg decodes and libvips does not. */
export type ForeignFormat = 'bmp' | 'ico' | 'psd' | 'jp2' | 'jxl' | 'qoi';
/** Those that the service does not accept can be converted, except `svg`. */
export type ImageFormat = AcceptedFormat | 'gif' | 'tiff' | 'heic' | ForeignFormat | 'svg';

/** Number of bytes that `detectFormat` needs. */
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
/** Many texts begin with the two letters of a bitmap, so the size of the second header is checked too. */
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

// Detects SVG drawings by their first element. Scans each character once, because a crafted file could slow a regular
// expression down without bound.

const HEAD_CHARACTERS = 8 * 1024;
const SVG = /^<(?:[\w-]{1,32}:)?svg[\s>/]/i;

/** What may precede the first element, by its start and end. */
const SKIPPED = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;

const isSvg = (head: Buffer): boolean => {
  const text = withoutByteOrderMark(head.toString('utf8', 0, HEAD_CHARACTERS));
  let at = 0;
  for (;;) {
    while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
    const next = endOfSkipped(text, at);
    if (next === null) return SVG.test(text.slice(at, at + 64));
    if (next < 0) return false;
    at = next;
  }
};

/** Offset after a part that may be skipped; negative where it does not end, null where there is no such part. */
const endOfSkipped = (text: string, at: number): number | null => {
  if (/^<!doctype/i.test(text.slice(at, at + 9))) return endOfDoctype(text, at);
  for (const [beginning, end] of SKIPPED) {
    if (!text.startsWith(beginning, at)) continue;
    const found = text.indexOf(end, at + beginning.length);
    return found < 0 ? -1 : found + end.length;
  }
  return null;
};

/** A document type may contain declarations in brackets. */
const endOfDoctype = (text: string, at: number): number => {
  const [bracket, close] = [text.indexOf('[', at), text.indexOf('>', at)];
  if (close < 0) return -1;
  if (bracket < 0 || bracket > close) return close + 1;
  const end = text.indexOf(']', bracket);
  const after = end < 0 ? -1 : text.indexOf('>', end);
  return after < 0 ? -1 : after + 1;
};
