/** Writes HEIC files as phones do: HEVC tiles in a grid, a rotation, a colour profile, and Exif with a location. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sharp } from 'sharp';

const run = promisify(execFile);

const u8 = (...values: number[]) => Buffer.from(values);
const u16 = (...values: number[]) => Buffer.concat(values.map((value) => u8(value >> 8, value & 255)));
const u32 = (...values: number[]) => Buffer.concat(values.map((value) => u16(value >>> 16, value & 65_535)));
const text = (value: string) => Buffer.from(value, 'latin1');

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(8 + body.length), text(type), body]);
};
const fullBox = (type: string, version: number, flags: number, ...parts: Buffer[]) =>
  box(type, u8(version, 0, 0, flags), ...parts);

/** The NAL units of a stream with start codes, by type. */
const unitsOf = (stream: Buffer): { type: number; bytes: Buffer }[] =>
  stream
    .toString('latin1')
    .split('\0\0\x01')
    // A unit never ends in zero bits; a zero there belongs to the next start code.
    .map((unit) => Buffer.from(unit.replace(/\0+$/, ''), 'latin1'))
    .filter((bytes) => bytes.length > 0)
    .map((bytes) => ({ type: ((bytes[0] ?? 0) >> 1) & 63, bytes }));

const PARAMETER_SETS = [32, 33, 34];

const encodeTile = async (tile: Sharp, folder: string): Promise<{ sets: Buffer[]; picture: Buffer }> => {
  const [png, stream] = [join(folder, 'tile.png'), join(folder, 'tile.hevc')];
  await tile.png().toFile(png);
  const colour = 'scale=out_color_matrix=bt601:out_range=full,format=yuv444p';
  const x265 = 'log-level=none:range=full:colormatrix=smpte170m:crf=4:info=0';
  await run('ffmpeg', [
    ...['-loglevel', 'error', '-y', '-i', png, '-vf', colour, '-frames:v', '1'],
    ...['-c:v', 'libx265', '-x265-params', x265, '-f', 'hevc', stream],
  ]);
  const units = unitsOf(await readFile(stream));
  const sets = PARAMETER_SETS.map((type) => units.find((unit) => unit.type === type)?.bytes ?? Buffer.alloc(0));
  const slices = units.filter(({ type }) => type < 32).flatMap(({ bytes }) => [u32(bytes.length), bytes]);
  return { sets, picture: Buffer.concat(slices) };
};

export interface HeicRecipe {
  readonly tile: number;
  /** Rotations by 90 degrees counter-clockwise. */
  readonly turns?: number;
  readonly icc?: Buffer;
  readonly exif: Buffer;
}

/** `image` without its own orientation; its sides need not be multiples of the tile's. */
export const heicOf = async (image: Sharp, { tile, turns = 0, icc, exif }: HeicRecipe): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'linkshot-heic-'));
  try {
    const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const { default: sharp } = await import('sharp');
    const [columns, rows] = [Math.ceil(info.width / tile), Math.ceil(info.height / tile)];
    const canvas = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
      .extend({ right: columns * tile - info.width, bottom: rows * tile - info.height, extendWith: 'copy' })
      .raw()
      .toBuffer();
    const tiles = [];
    for (let index = 0; index < columns * rows; index += 1) {
      const at = { left: (index % columns) * tile, top: Math.floor(index / columns) * tile, width: tile, height: tile };
      const raw = { width: columns * tile, height: rows * tile, channels: 3 } as const;
      tiles.push(await encodeTile(sharp(canvas, { raw }).extract(at), folder));
    }
    return container(tiles, { columns, rows, width: info.width, height: info.height, tile, turns, icc, exif });
  } finally {
    await rm(folder, { recursive: true });
  }
};

interface Layout {
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
  readonly height: number;
  readonly tile: number;
  readonly turns: number;
  readonly icc: Buffer | undefined;
  readonly exif: Buffer;
}

const container = (tiles: { sets: Buffer[]; picture: Buffer }[], layout: Layout): Buffer => {
  const { columns, rows, width, height, tile, turns, icc, exif } = layout;
  const gridId = tiles.length + 1;
  const exifId = tiles.length + 2;
  const grid = Buffer.concat([u8(0, 0, rows - 1, columns - 1), u16(width, height)]);
  const exifItem = Buffer.concat([u32(0), exif]);
  const ids = tiles.map((_, index) => index + 1);

  const sets = tiles[0]?.sets ?? [];
  const arrays = sets.map((bytes, index) =>
    Buffer.concat([u8(0x80 | (PARAMETER_SETS[index] ?? 0)), u16(1), u16(bytes.length), bytes]),
  );
  const config = box('hvcC', u8(1), Buffer.alloc(20), u8(0xff, sets.length), ...arrays);
  const colour = icc ? box('colr', text('prof'), icc) : box('colr', text('nclx'), u16(1, 13, 6), u8(0x80));
  const properties = box(
    'ipco',
    ...[config, fullBox('ispe', 0, 0, u32(tile, tile)), fullBox('ispe', 0, 0, u32(width, height)), colour],
    box('irot', u8(turns)),
  );
  const ofTile = (id: number) => Buffer.concat([u16(id), u8(2, 0x81, 0x02)]);
  const associations = fullBox(
    'ipma',
    ...([0, 0, u32(tiles.length + 1)] as const),
    ...ids.map(ofTile),
    Buffer.concat([u16(gridId), u8(3, 0x03, 0x04, 0x85)]),
  );
  const HIDDEN = 1;
  const entry = (id: number, type: string, flags = 0) => fullBox('infe', 2, flags, u16(id, 0), text(`${type}\0`));
  const entries = [...ids.map((id) => entry(id, 'hvc1', HIDDEN)), entry(gridId, 'grid'), entry(exifId, 'Exif')];
  const references = fullBox(
    'iref',
    ...([0, 0] as const),
    box('dimg', u16(gridId, tiles.length), ...ids.map((id) => u16(id))),
    box('cdsc', u16(exifId, 1, gridId)),
  );
  const metaWith = (dataAt: number): Buffer => {
    let at = dataAt;
    const place = (id: number, size: number) => {
      const row = Buffer.concat([u16(id, 0, 0, 1), u32(at, size)]);
      at += size;
      return row;
    };
    const places = [
      ...tiles.map(({ picture }, index) => place(index + 1, picture.length)),
      place(exifId, exifItem.length),
    ];
    const inMeta = Buffer.concat([u16(gridId, 1, 0, 1), u32(0, grid.length)]);
    return fullBox(
      'meta',
      ...([0, 0] as const),
      fullBox('hdlr', 0, 0, u32(0), text('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, 0, u16(gridId)),
      fullBox('iinf', 0, 0, u16(entries.length), ...entries),
      references,
      box('iprp', properties, associations),
      box('idat', grid),
      fullBox('iloc', 1, 0, u8(0x44, 0), u16(tiles.length + 2), ...places, inMeta),
    );
  };
  const head = box('ftyp', text('heic'), u32(0), text('mif1heic'));
  const dataAt = head.length + metaWith(0).length + 8;
  const data = box('mdat', ...tiles.map(({ picture }) => picture), exifItem);
  return Buffer.concat([head, metaWith(dataAt), data]);
};
