/**
 * Parses the boxes of ISO base media files (ISO 14496-12), the container of AVIF and HEIC. Malformed boxes are
 * rejected.
 */

export interface Box {
  readonly type: string;
  readonly start: number;
  /** Offset of the payload; in a full box it starts with the version. */
  readonly body: number;
  readonly end: number;
}

/** The boxes between `from` and `to`, in order. Null: their sizes do not match. */
export const boxesIn = (file: Buffer, from: number, to: number): readonly Box[] | null => {
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
