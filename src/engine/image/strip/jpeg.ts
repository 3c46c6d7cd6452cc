/**
 * Strips the metadata of a JPEG: Exif except its orientation, XMP, IPTC, comments, embedded thumbnails, and data after
 * its end (further pictures, videos, location data). The coded picture, its colour profile and density stay unchanged.
 */
import { onlyOrientation } from './minimal-exif.ts';
import { createPieces, type Stripped } from './stripped-file.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COM = 0xfe;
const TEM = 0x01;

const EXIF = 'Exif\0\0';
const JFIF_BYTES = 14;

/** Null: the file is not a complete JPEG. */
export const stripJpeg = (file: Buffer): Stripped | null => {
  if (file[0] !== 0xff || file[1] !== SOI) return null;
  const pieces = createPieces(file);
  pieces.keep(0, 2);
  let hasOrientation = false;
  let at = 2;
  while (at + 1 < file.length) {
    // Skips stray bytes between segments, as decoders do.
    if (file[at] !== 0xff || file[at + 1] === 0) {
      at = file.indexOf(0xff, at + 1);
      if (at < 0) return null;
      continue;
    }
    const marker = file[at + 1] ?? 0;
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === EOI) {
      pieces.keep(at, at + 2);
      return pieces.done();
    }
    if (marker === TEM || isRestart(marker)) {
      pieces.keep(at, at + 2);
      at += 2;
      continue;
    }
    if (at + 4 > file.length) return null;
    const end = at + 2 + file.readUInt16BE(at + 2);
    if (end < at + 4 || end > file.length) return null;
    if (marker === SOS) {
      const next = endOfScan(file, end);
      if (next === null) return null;
      pieces.keep(at, next);
      at = next;
      continue;
    }
    const exif = marker === APP1 && !hasOrientation ? orientationSegment(file.subarray(at + 4, end)) : null;
    if (exif) {
      hasOrientation = true;
      pieces.replace(at, end, exif);
    } else if (marker === APP0 && startsWith(file, at + 4, 'JFIF\0') && end - at - 4 > JFIF_BYTES) {
      pieces.replace(at, end, withoutThumbnail(file.subarray(at, at + 4 + JFIF_BYTES)));
    } else if (isPicture(file, marker, at + 4)) {
      pieces.keep(at, end);
    }
    at = end;
  }
  return null;
};

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

const startsWith = (file: Buffer, at: number, text: string): boolean =>
  file.toString('latin1', at, at + text.length) === text;

/**
 * Segments that decoding needs; of the application segments the density, the colour profile and Adobe's colour
 * transform.
 */
const isPicture = (file: Buffer, marker: number, payload: number): boolean => {
  if (marker === COM) return false;
  if (marker < APP0 || marker > APP15) return true;
  if (marker === APP0) return startsWith(file, payload, 'JFIF\0');
  if (marker === APP2) return startsWith(file, payload, 'ICC_PROFILE\0');
  return marker === APP14 && startsWith(file, payload, 'Adobe');
};

const orientationSegment = (payload: Buffer): Buffer | null => {
  const tiff = startsWith(payload, 0, EXIF) ? onlyOrientation(payload.subarray(EXIF.length)) : null;
  if (!tiff) return null;
  const head = Buffer.from([0xff, APP1, 0, 2 + EXIF.length + tiff.length]);
  return Buffer.concat([head, Buffer.from(EXIF, 'latin1'), tiff]);
};

/** Keeps the density; sets the width and height of the thumbnail, the last two bytes, to 0. */
const withoutThumbnail = (segment: Buffer): Buffer => {
  const bytes = Buffer.from(segment);
  bytes.writeUInt16BE(2 + JFIF_BYTES, 2);
  bytes.writeUInt16BE(0, bytes.length - 2);
  return bytes;
};

/** Offset of the next marker after entropy-coded data, in which 0xFF is followed by 0 or a restart. */
const endOfScan = (file: Buffer, from: number): number | null => {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1];
    if (next === undefined) return null;
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at;
  }
  return null;
};
