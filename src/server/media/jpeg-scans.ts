/**
 * Counts the scans of a JPEG without decoding it. A scan of a few bytes may still cover all pixels, so the number of
 * scans and the pixels determine the cost of decoding.
 */

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const FIRST_RESTART = 0xd0;
const START_OF_IMAGE = 0xd8;
const TEMPORARY = 0x01;

const standsAlone = (marker: number): boolean =>
  marker === TEMPORARY || (marker >= FIRST_RESTART && marker <= START_OF_IMAGE);

/** Markers inside segments (a camera's thumbnail) and after the end of the image are not counted. */
export const countScans = (jpeg: Uint8Array): number => {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  let scans = 0;
  let at = 0;
  while (at >= 0 && at + 1 < jpeg.length) {
    const marker = jpeg[at] === 0xff ? (jpeg[at + 1] ?? 0) : 0;
    if (marker === 0 || marker === 0xff) {
      // Scan data, a stuffed byte, or padding before a marker.
      at = jpeg.indexOf(0xff, at + 1);
    } else if (marker === END_OF_IMAGE) {
      return scans;
    } else if (standsAlone(marker)) {
      at += 2;
    } else {
      if (marker === START_OF_SCAN) scans += 1;
      if (at + 4 > jpeg.length) return scans;
      at += 2 + view.getUint16(at + 2);
    }
  }
  return scans;
};

/** Always allowed: cameras and encoders write 14 scans at most. */
const SCANS_ALWAYS = 25;

/** Whether decoding would process more than `scanMegapixelsMax` million pixels in total. */
export const hasTooManyScans = (jpeg: Uint8Array, megapixels: number, scanMegapixelsMax: number): boolean => {
  const scans = countScans(jpeg);
  return scans > SCANS_ALWAYS && scans * Math.max(1, megapixels) > scanMegapixelsMax;
};
