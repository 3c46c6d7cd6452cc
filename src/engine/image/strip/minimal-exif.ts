/**
 * Builds the Exif of a stripped picture: only its orientation, or no tags at all. All other tags are private metadata.
 */

const ORIENTATION = 0x0112;
const SHORT = 3;
const UPRIGHT = 1;

/** Reads the orientation (1 to 8) from Exif's TIFF structure; 1 where it is missing or invalid. */
const orientationOf = (tiff: Buffer): number => {
  const order = tiff.toString('latin1', 0, 4);
  if (tiff.length < 14 || (order !== 'II*\0' && order !== 'MM\0*')) return UPRIGHT;
  const isLittle = order === 'II*\0';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return UPRIGHT;
  const count = short(directory);
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > tiff.length) break;
    if (short(entry) !== ORIENTATION) continue;
    const value = short(entry + 8);
    return short(entry + 2) === SHORT && value >= 1 && value <= 8 ? value : UPRIGHT;
  }
  return UPRIGHT;
};

/** A TIFF structure with only the orientation of `tiff`; null: the picture is upright and needs no Exif. */
export const onlyOrientation = (tiff: Buffer): Buffer | null => {
  const orientation = orientationOf(tiff);
  return orientation === UPRIGHT ? null : directoryOf([orientation]);
};

/** A TIFF structure without tags. */
export const emptyExif = (): Buffer => directoryOf([]);

/** Big-endian: the header, one directory with at most the orientation, and no next directory. */
const directoryOf = (orientations: readonly number[]): Buffer => {
  const tiff = Buffer.alloc(14 + 12 * orientations.length);
  tiff.write('MM\0*', 0, 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(orientations.length, 8);
  for (const [index, orientation] of orientations.entries()) {
    const entry = 10 + 12 * index;
    tiff.writeUInt16BE(ORIENTATION, entry);
    tiff.writeUInt16BE(SHORT, entry + 2);
    tiff.writeUInt32BE(1, entry + 4);
    tiff.writeUInt16BE(orientation, entry + 8);
  }
  return tiff;
};
