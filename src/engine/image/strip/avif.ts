/**
 * Blanks the metadata of an AVIF: Exif (orientation is a separate property), XMP, and boxes of unknown programs. Bytes
 * are overwritten in place, so lengths, pixels, colours and orientation stay unchanged.
 */
import { type Box, boxesOf, type Extent, type Item, readHeif } from '../heif/heif-container.ts';
import { emptyExif } from './minimal-exif.ts';
import { createPieces, type Stripped } from './stripped-file.ts';

const METADATA = new Set(['Exif', 'mime', 'uri ']);
/** Boxes with free-form content; `free` is skipped by definition. */
const FREE_FORM = new Set(['uuid', 'udta', 'free', 'skip']);

interface Blank extends Extent {
  readonly bytes: Buffer;
}

/** Null: the file is not a complete AVIF. */
export const stripAvif = (file: Buffer): Stripped | null => {
  const heif = readHeif(file);
  if (!heif) return null;
  const metadata = heif.items.filter(({ type }) => METADATA.has(type));
  const pictures = heif.items.filter(({ type }) => !METADATA.has(type)).flatMap(({ extents }) => extents);
  const blanks = [
    ...metadata.flatMap(blanksOfItem),
    ...[...heif.boxes, ...heif.meta, ...boxesOfTracks(file, heif.boxes)].flatMap(blanksOfBox),
  ].sort((a, b) => a.start - b.start);
  const isShared = pictures.some(({ start, end }) => blanks.some((blank) => start < blank.end && blank.start < end));
  if (isShared) return null;

  const pieces = createPieces(file);
  let at = 0;
  for (const { start, end, bytes } of blanks) {
    // Two items may share bytes; they are blanked once.
    if (start < at) continue;
    pieces.keep(at, start);
    pieces.replace(start, end, bytes);
    at = end;
  }
  pieces.keep(at, file.length);
  return pieces.done();
};

/** An empty Exif structure where it fits, else zeros; spaces for XMP, which is text. */
const blanksOfItem = ({ type, extents }: Item): readonly Blank[] =>
  extents.map(({ start, end }, index) => {
    const bytes = Buffer.alloc(end - start, type === 'Exif' ? 0 : ' ');
    const exif = Buffer.concat([Buffer.alloc(4), emptyExif()]);
    if (type === 'Exif' && index === 0 && exif.length <= bytes.length) exif.copy(bytes);
    return { start, end, bytes };
  });

const blanksOfBox = ({ type, start, body, end }: Box): readonly Blank[] => {
  if (!FREE_FORM.has(type) || body > end) return [];
  const bytes = Buffer.alloc(end - start);
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.write('free', 4, 'latin1');
  return [{ start, end, bytes }];
};

/** The boxes in the tracks of an image sequence; their own `meta` counts as free-form. */
const boxesOfTracks = (file: Buffer, boxes: readonly Box[]): readonly Box[] => {
  const movie = boxes.filter(({ type }) => type === 'moov').flatMap((box) => boxesOf(file, box) ?? []);
  const tracks = movie.filter(({ type }) => type === 'trak').flatMap((box) => boxesOf(file, box) ?? []);
  return [...movie, ...tracks].map((box) => (box.type === 'meta' ? { ...box, type: 'udta' } : box));
};
