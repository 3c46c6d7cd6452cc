/**
 * Blanks in an AVIF what is not picture: Exif (AVIF turns pictures by a property of its own), XMP, and boxes of unknown
 * programs. Their bytes are overwritten in place and keep their length, so nothing else moves and pixels, colours and
 * orientation stay byte for byte.
 */
import { type Box, boxesOf } from '../heif/heif-boxes.ts';
import { type Extent, type Item, readHeif } from '../heif/heif-items.ts';
import { emptyExif } from './exif.ts';
import { createPieces, type Stripped } from './stripped-file.ts';

const TOLD = new Set(['Exif', 'mime', 'uri ']);
/** Boxes that programs fill as they like; `free` is what is skipped, by definition. */
const FILLED = new Set(['uuid', 'udta', 'free', 'skip']);

interface Blank extends Extent {
  readonly bytes: Buffer;
}

/** Null: the file is no AVIF from its beginning to its end. */
export const stripAvif = (file: Buffer): Stripped | null => {
  const heif = readHeif(file);
  if (!heif) return null;
  const told = heif.items.filter(({ type }) => TOLD.has(type));
  const pictures = heif.items.filter(({ type }) => !TOLD.has(type)).flatMap(({ extents }) => extents);
  const blanks = [
    ...told.flatMap(blanksOfItem),
    ...[...heif.boxes, ...heif.meta, ...boxesOfTracks(file, heif.boxes)].flatMap(blanksOfBox),
  ].sort((a, b) => a.start - b.start);
  const isShared = pictures.some(({ start, end }) => blanks.some((blank) => start < blank.end && blank.start < end));
  if (isShared) return null;

  const pieces = createPieces(file);
  let at = 0;
  for (const { start, end, bytes } of blanks) {
    // Two items may share their bytes; blanked once, they are blank.
    if (start < at) continue;
    pieces.keep(at, start);
    pieces.replace(start, end, bytes);
    at = end;
  }
  pieces.keep(at, file.length);
  return pieces.done();
};

/** An Exif that says nothing where it fits, else zeros; spaces for XMP, which is text. */
const blanksOfItem = ({ type, extents }: Item): readonly Blank[] =>
  extents.map(({ start, end }, index) => {
    const bytes = Buffer.alloc(end - start, type === 'Exif' ? 0 : ' ');
    const exif = Buffer.concat([Buffer.alloc(4), emptyExif()]);
    if (type === 'Exif' && index === 0 && exif.length <= bytes.length) exif.copy(bytes);
    return { start, end, bytes };
  });

const blanksOfBox = ({ type, start, body, end }: Box): readonly Blank[] => {
  if (!FILLED.has(type) || body > end) return [];
  const bytes = Buffer.alloc(end - start);
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.write('free', 4, 'latin1');
  return [{ start, end, bytes }];
};

/** What the tracks of an image sequence hold; their own `meta` counts as filled. */
const boxesOfTracks = (file: Buffer, boxes: readonly Box[]): readonly Box[] => {
  const movie = boxes.filter(({ type }) => type === 'moov').flatMap((box) => boxesOf(file, box) ?? []);
  const tracks = movie.filter(({ type }) => type === 'trak').flatMap((box) => boxesOf(file, box) ?? []);
  return [...movie, ...tracks].map((box) => (box.type === 'meta' ? { ...box, type: 'udta' } : box));
};
