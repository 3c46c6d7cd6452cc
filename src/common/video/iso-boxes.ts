/**
 * Walks the boxes of an MP4 (ISO base media file, ISO/IEC 14496-12, 4.2) for what the video library does not report:
 * whether the file is complete, and whether it references media in other files. Reads box headers and small boxes only.
 */
import { type ByteSource, viewOf } from './byte-source.ts';

export interface Box {
  readonly type: string;
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
}

const BOXES_MAX = 100_000;
const DATA_REFERENCE_BYTES_MAX = 64 * 1024;
/** The path of boxes to the data references: moov/trak/mdia/minf/dinf/dref. */
const PARENTS = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf']);
const SELF_CONTAINED = 1;

/** The box at `start`; null if there is none. Its end may exceed the limit: then the file is truncated. */
export const readBox = async (file: ByteSource, start: number, limit: number): Promise<Box | null> => {
  const header = viewOf(await file.read(start, Math.min(16, limit - start)));
  if (header.byteLength < 8) return null;
  const size = header.getUint32(0);
  const wide = size === 1;
  if (wide && header.byteLength < 16) return null;
  const length = wide ? Number(header.getBigUint64(8)) : size === 0 ? limit - start : size;
  const headerLength = wide ? 16 : 8;
  if (length < headerLength) return null;
  return {
    type: String.fromCharCode(...[4, 5, 6, 7].map((at) => header.getUint8(at))),
    start,
    bodyStart: start + headerLength,
    end: start + length,
  };
};

/** A data reference that is not "in this file" names a URL or a path. */
const namesAnotherFile = async (file: ByteSource, { bodyStart, end }: Box): Promise<boolean> => {
  const body = viewOf(await file.read(bodyStart, Math.min(end - bodyStart, DATA_REFERENCE_BYTES_MAX)));
  let at = 8;
  while (at + 12 <= body.byteLength) {
    const size = body.getUint32(at);
    if (size < 12 || (body.getUint32(at + 8) & SELF_CONTAINED) === 0) return true;
    at += size;
  }
  return false;
};

export type Structure = 'whole' | 'truncated' | 'external';

/** Checks the structure of an MP4 file. */
export const checkBoxes = async (file: ByteSource): Promise<Structure> => {
  let left = BOXES_MAX;
  const walk = async (from: number, limit: number): Promise<Structure> => {
    let at = from;
    while (at < limit) {
      const box = left-- > 0 ? await readBox(file, at, limit) : null;
      if (box === null || box.end > limit) return 'truncated';
      if (box.type === 'dref' && (await namesAnotherFile(file, box))) return 'external';
      if (PARENTS.has(box.type)) {
        const inside = await walk(box.bodyStart, box.end);
        if (inside !== 'whole') return inside;
      }
      at = box.end;
    }
    return 'whole';
  };
  return walk(0, file.size);
};
