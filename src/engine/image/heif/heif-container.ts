/**
 * Parses the container of AVIF and HEIC: boxes (ISO 14496-12) and items (ISO 23008-12), which are pictures, tiles and
 * metadata with their byte ranges. Malformed boxes are rejected.
 */

export interface Extent {
  readonly start: number;
  readonly end: number;
}

export interface Item {
  readonly id: number;
  /** `av01` and `hvc1` are pictures, `grid` is a picture of tiles, `Exif` and `mime` are metadata. */
  readonly type: string;
  readonly extents: readonly Extent[];
}

export interface HeifFile {
  /** Of the file itself. */
  readonly boxes: readonly Box[];
  readonly meta: readonly Box[];
  readonly items: readonly Item[];
}

/** Null: the file has no `meta` box, or it is malformed. */
export const readHeif = (file: Buffer): HeifFile | null => {
  try {
    const boxes = boxesIn(file, 0, file.length);
    const metaBox = boxOf(boxes, 'meta');
    const meta = metaBox ? boxesOf(file, metaBox, 4) : null;
    if (!boxes || !meta) return null;
    const types = typesOf(file, meta);
    const extentsById = extentsOf(file, meta);
    return { boxes, meta, items: [...types].map(([id, type]) => ({ id, type, extents: extentsById.get(id) ?? [] })) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};

/** `iinf`: the type of each item. */
const typesOf = (file: Buffer, meta: readonly Box[]): ReadonlyMap<number, string> => {
  const types = new Map<number, string>();
  const box = boxOf(meta, 'iinf');
  if (!box) return types;
  const skip = file[box.body] === 0 ? 6 : 8;
  const entries = boxesOf(file, box, skip);
  // Metadata could be among those that are not seen.
  if (!entries) throw new RangeError('The list of items does not fit its box.');
  for (const entry of entries) {
    const reader = createReader(file, entry.body, entry.end);
    const version = reader.number(1);
    reader.number(3);
    // Versions 0 and 1 have no item types.
    if (entry.type !== 'infe' || version < 2) continue;
    const id = reader.number(version === 2 ? 2 : 4);
    reader.number(2);
    types.set(id, reader.text(4));
  }
  return types;
};

const IN_FILE = 0;
const IN_IDAT = 1;
/** Items rarely share bytes; a file whose items are many times its own size is a decompression bomb. */
const SHARED_MAX = 2;

/** `iloc`: the byte ranges of each item in the file. Items stored elsewhere get no ranges. */
const extentsOf = (file: Buffer, meta: readonly Box[]): ReadonlyMap<number, readonly Extent[]> => {
  const extentsById = new Map<number, readonly Extent[]>();
  const box = boxOf(meta, 'iloc');
  if (!box) return extentsById;
  const idat = boxOf(meta, 'idat');
  const reader = createReader(file, box.body, box.end);
  const version = reader.number(1);
  reader.number(3);
  const [offsetAndLength, baseAndIndex] = [reader.number(1), reader.number(1)];
  const indexBytes = version === 0 ? 0 : baseAndIndex & 0x0f;
  const count = reader.number(version < 2 ? 2 : 4);
  let total = 0;
  for (let item = 0; item < count; item += 1) {
    const id = reader.number(version < 2 ? 2 : 4);
    const method = version === 0 ? IN_FILE : reader.number(2) & 0x0f;
    const isElsewhere = reader.number(2) !== 0 || (method !== IN_FILE && method !== IN_IDAT);
    const base = reader.number(baseAndIndex >> 4) + (method === IN_IDAT ? (idat?.body ?? 0) : 0);
    const limit = method === IN_IDAT ? (idat?.end ?? 0) : file.length;
    const extents: Extent[] = [];
    let left = reader.number(2);
    if (left > 1 && offsetAndLength + indexBytes === 0) throw new RangeError('The places take no room.');
    for (; left > 0; left -= 1) {
      reader.number(indexBytes);
      const start = base + reader.number(offsetAndLength >> 4);
      const length = reader.number(offsetAndLength & 0x0f);
      const end = length === 0 ? limit : start + length;
      if (start > end || end > limit) throw new RangeError('An item lies outside of the file.');
      total += end - start;
      if (total > SHARED_MAX * file.length) throw new RangeError('The items are larger than the file.');
      extents.push({ start, end });
    }
    extentsById.set(id, isElsewhere ? [] : extents);
  }
  return extentsById;
};

export interface Box {
  readonly type: string;
  readonly start: number;
  /** Offset of the payload; in a full box it starts with the version. */
  readonly body: number;
  readonly end: number;
}

/** The boxes between `from` and `to`, in order. Null: their sizes do not match. */
const boxesIn = (file: Buffer, from: number, to: number): readonly Box[] | null => {
  if (from > to) return null;
  const boxes: Box[] = [];
  for (let at = from; at < to; ) {
    if (at + 8 > to) return null;
    const short = file.readUInt32BE(at);
    const isLong = short === 1;
    if (isLong && at + 16 > to) return null;
    const size = isLong ? Number(file.readBigUInt64BE(at + 8)) : short === 0 ? to - at : short;
    const body = at + (isLong ? 16 : 8);
    const end = at + size;
    if (end < body || end > to) return null;
    boxes.push({ type: file.toString('latin1', at + 4, at + 8), start: at, body, end });
    at = end;
  }
  return boxes;
};

/** Boxes inside another one, starting `skip` bytes after the beginning of its payload. */
export const boxesOf = (file: Buffer, { body, end }: Box, skip = 0): readonly Box[] | null =>
  boxesIn(file, body + skip, end);

/** The first box of a type. */
export const boxOf = (boxes: readonly Box[] | null, type: string): Box | undefined =>
  boxes?.find((box) => box.type === type);

/** Reads numbers sequentially; reading past `end` throws a RangeError, which the caller treats as an invalid file. */
export const createReader = (file: Buffer, from: number, end: number) => {
  let at = from;
  const advance = (count: number): number => {
    if (at + count > end) throw new RangeError('The box ends too early.');
    at += count;
    return at - count;
  };
  return {
    /** An unsigned number of 0 to 8 bytes. */
    number(bytes: number): number {
      const start = advance(bytes);
      if (bytes === 0) return 0;
      if (bytes <= 6) return file.readUIntBE(start, bytes);
      return Number(file.readBigUInt64BE(start));
    },
    text: (bytes: number): string => {
      const start = advance(bytes);
      return file.toString('latin1', start, start + bytes);
    },
    bytes: (count: number): Buffer => {
      const start = advance(count);
      return file.subarray(start, start + count);
    },
    left: (): number => end - at,
  };
};
