/**
 * Detects location metadata in videos: GPS tags of phones, tracks of action cameras. A false positive only costs a
 * remux.
 */

import type { ByteSource } from '../../common/video/byte-source.ts';
import { readBox } from '../../common/video/iso-boxes.ts';

const needles = (...texts: readonly string[]): readonly Buffer[] => texts.map((text) => Buffer.from(text, 'latin1'));

/** Tags of Apple, Android, 3GPP; tracks of GoPro and Google; names of XMP. */
const MP4_NEEDLES = needles('\xa9xyz', 'loci', 'location.ISO6709', 'gpmd', 'camm', 'GPSCoordinates', 'GPSLatitude');
const WEBM_NEEDLES = needles('LOCATION', 'location');

/** Top-level boxes of an MP4 that contain metadata. Hours of video have tables of some MB. */
const DESCRIBING = new Set(['moov', 'meta', 'udta', 'uuid']);
const BOX_BYTES_MAX = 32 * 1024 ** 2;
const BOXES_MAX = 10_000;
/** Tags of a WebM are before or after its media. */
const WEBM_END_BYTES = 256 * 1024;

const includesAny = (bytes: Uint8Array, sought: readonly Buffer[]): boolean => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return sought.some((needle) => buffer.includes(needle));
};

const inBoxes = async (file: ByteSource): Promise<boolean> => {
  let at = 0;
  for (let left = BOXES_MAX; left > 0 && at < file.size; left--) {
    const box = await readBox(file, at, file.size);
    if (box === null) return false;
    const length = Math.min(box.end - box.start, BOX_BYTES_MAX);
    if (DESCRIBING.has(box.type) && includesAny(await file.read(box.start, length), MP4_NEEDLES)) return true;
    at = box.end;
  }
  return false;
};

/** Whether the video may contain a location. */
export const hasLocation = async (file: ByteSource, container: 'mp4' | 'webm'): Promise<boolean> => {
  if (container === 'mp4') return inBoxes(file);
  const ends = [0, Math.max(0, file.size - WEBM_END_BYTES)];
  for (const at of ends) if (includesAny(await file.read(at, WEBM_END_BYTES), WEBM_NEEDLES)) return true;
  return false;
};
