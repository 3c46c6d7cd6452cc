/** Parses how the main picture of a HEIC is put together (ISO 23008-12): HEVC tiles, layout, rotation and colours. */
import { type Box, boxesOf, boxOf, createReader, type HeifFile, type Item, readHeif } from './heif-container.ts';

export interface Heic {
  /** Each tile as a complete stream with its parameter sets; row by row. */
  readonly tiles: readonly Buffer[];
  readonly columns: number;
  readonly rows: number;
  /**
   * Size of the picture before rotation; tiles at the right and bottom may extend beyond. Null: the size of the tile.
   */
  readonly crop: { readonly width: number; readonly height: number } | null;
  /** In the order of application; `turn` is 90 degrees counterclockwise. */
  readonly turns: readonly ('turn' | 'flip-rows' | 'flip-columns')[];
  readonly colour: { readonly icc: Buffer | null; readonly matrix: number | null; readonly range: 'full' | 'limited' };
  readonly hasMetadata: boolean;
}

const TILES_MAX = 1_024;

/** Tiles repeat little of the file; one whose tiles are many times its own size is a decompression bomb. */
const STREAMS_MAX = 8;
/** Bytes of parameter sets that small pictures of many tiles may repeat. */
const PARAMETER_SETS = 1024 * 1024;

/** Null: not a HEIC, or of a structure that no camera writes. */
export const readHeic = (file: Buffer): Heic | null => {
  const heif = readHeif(file);
  if (!heif) return null;
  try {
    return heicOf(file, heif);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};

const heicOf = (file: Buffer, heif: HeifFile): Heic | null => {
  const byId = new Map(heif.items.map((item) => [item.id, item]));
  const main = byId.get(mainId(file, heif.meta));
  if (!main) return null;
  const grid = main.type === 'grid' ? gridOf(Buffer.concat(bytesOf(file, main))) : { columns: 1, rows: 1, crop: null };
  const ids = main.type === 'grid' ? tileIds(file, heif.meta, main.id) : [main.id];
  if (ids.length !== grid.columns * grid.rows || ids.length > TILES_MAX) return null;
  const properties = propertiesOf(file, heif.meta);
  // A tile may be referred to often.
  const streams = new Map<number, Buffer | null>();
  let total = 0;
  for (const id of ids) {
    if (streams.has(id)) continue;
    const item = byId.get(id);
    const config = properties.get(id)?.find(({ type }) => type === 'hvcC');
    const stream = item?.type === 'hvc1' && config ? streamOf(file, item, config) : null;
    total += stream?.length ?? 0;
    if (total > STREAMS_MAX * file.length + PARAMETER_SETS) throw new RangeError('The tiles are larger than the file.');
    streams.set(id, stream);
  }
  const tiles = ids.map((id) => streams.get(id) ?? null);
  if (!tiles.every((tile) => tile !== null)) return null;
  const ofMain = properties.get(main.id) ?? [];
  const ofTile = properties.get(ids[0] ?? 0) ?? [];
  return {
    tiles,
    ...grid,
    turns: ofMain.flatMap((box) => turnsOf(file, box)),
    colour: colourOf(file, [...ofMain, ...ofTile]),
    hasMetadata: heif.items.some(({ type }) => type === 'Exif' || type === 'mime'),
  };
};

const bytesOf = (file: Buffer, { extents }: Item): Buffer[] =>
  extents.map(({ start, end }) => file.subarray(start, end));

const full = (file: Buffer, box: Box) => {
  const reader = createReader(file, box.body, box.end);
  return { version: reader.number(1), flags: reader.number(3), reader };
};

const mainId = (file: Buffer, meta: readonly Box[]): number => {
  const box = boxOf(meta, 'pitm');
  if (!box) throw new RangeError('No picture is the main one.');
  const { version, reader } = full(file, box);
  return reader.number(version === 0 ? 2 : 4);
};

const gridOf = (bytes: Buffer): Pick<Heic, 'columns' | 'rows' | 'crop'> => {
  const reader = createReader(bytes, 0, bytes.length);
  reader.number(1);
  const side = reader.number(1) & 1 ? 4 : 2;
  const [rows, columns] = [reader.number(1) + 1, reader.number(1) + 1];
  return { rows, columns, crop: { width: reader.number(side), height: reader.number(side) } };
};

/** `iref`: the items that the main one is derived from. */
const tileIds = (file: Buffer, meta: readonly Box[], main: number): readonly number[] => {
  const box = boxOf(meta, 'iref');
  if (!box) return [];
  const side = file[box.body] === 0 ? 2 : 4;
  for (const reference of boxesOf(file, box, 4) ?? []) {
    const reader = createReader(file, reference.body, reference.end);
    if (reference.type !== 'dimg' || reader.number(side) !== main) continue;
    return Array.from({ length: reader.number(2) }, () => reader.number(side));
  }
  return [];
};

/** `iprp`: the properties of each item, in the order of application. */
const propertiesOf = (file: Buffer, meta: readonly Box[]): ReadonlyMap<number, readonly Box[]> => {
  const found = new Map<number, readonly Box[]>();
  const box = boxOf(meta, 'iprp');
  const inside = box ? boxesOf(file, box) : null;
  const container = boxOf(inside, 'ipco');
  const all = container ? (boxesOf(file, container) ?? []) : [];
  for (const association of (inside ?? []).filter(({ type }) => type === 'ipma')) {
    const { version, flags, reader } = full(file, association);
    for (let left = reader.number(4); left > 0; left -= 1) {
      const id = reader.number(version < 1 ? 2 : 4);
      const indices = Array.from({ length: reader.number(1) }, () =>
        flags & 1 ? reader.number(2) & 0x7fff : reader.number(1) & 0x7f,
      );
      found.set(
        id,
        indices.map((index) => all[index - 1]).filter((property) => property !== undefined),
      );
    }
  }
  return found;
};

const START_CODE = Buffer.from([0, 0, 0, 1]);

/** The item as a stream with start codes, preceded by its parameter sets. */
const streamOf = (file: Buffer, item: Item, config: Box): Buffer => {
  const reader = createReader(file, config.body, config.end);
  reader.bytes(21);
  const lengthBytes = (reader.number(1) & 3) + 1;
  const units: Buffer[] = [];
  for (let arrays = reader.number(1); arrays > 0; arrays -= 1) {
    reader.number(1);
    for (let left = reader.number(2); left > 0; left -= 1) units.push(reader.bytes(reader.number(2)));
  }
  const bytes = Buffer.concat(bytesOf(file, item));
  const picture = createReader(bytes, 0, bytes.length);
  while (picture.left() > 0) units.push(picture.bytes(picture.number(lengthBytes)));
  return Buffer.concat(units.flatMap((unit) => [START_CODE, unit]));
};

const turnsOf = (file: Buffer, { type, body }: Box): Heic['turns'] => {
  const value = file[body] ?? 0;
  if (type === 'irot') return Array.from({ length: value & 3 }, () => 'turn' as const);
  return type === 'imir' ? [value & 1 ? 'flip-columns' : 'flip-rows'] : [];
};

const colourOf = (file: Buffer, properties: readonly Box[]): Heic['colour'] => {
  const colours = properties
    .filter(({ type }) => type === 'colr')
    .map((box) => ({ box, kind: file.toString('latin1', box.body, box.body + 4) }));
  const profile = colours.find(({ kind }) => kind === 'prof' || kind === 'rICC');
  const coded = colours.find(({ kind }) => kind === 'nclx');
  const reader = coded && createReader(file, coded.box.body + 8, coded.box.end);
  return {
    icc: profile ? file.subarray(profile.box.body + 4, profile.box.end) : null,
    matrix: reader ? reader.number(2) : null,
    // Pictures default to full range, unlike videos.
    range: reader && (reader.number(1) & 0x80) === 0 ? 'limited' : 'full',
  };
};
