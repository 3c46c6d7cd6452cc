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

/** An hour with one fragment for each of 60 frames a second and for each packet of sound has 800,000. */
export const TOP_BOXES_MAX = 2_000_000;
/** Of all that are inside others. */
const INNER_BOXES_MAX = 100_000;
/** Small boxes follow each other closely, so that one read has many of them. */
const BATCH_BYTES = 64 * 1024;
const DATA_REFERENCE_BYTES_MAX = 64 * 1024;
/** The path of boxes to the data references: moov/trak/mdia/minf/dinf/dref. */
const PARENTS = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf']);
const SELF_CONTAINED = 1;

/** The box whose header is at `at` of `bytes`; null if there is none. */
const boxIn = (bytes: DataView, at: number, start: number, limit: number): Box | null => {
  const left = bytes.byteLength - at;
  if (left < 8) return null;
  const size = bytes.getUint32(at);
  const wide = size === 1;
  if (wide && left < 16) return null;
  const length = wide ? Number(bytes.getBigUint64(at + 8)) : size === 0 ? limit - start : size;
  const headerLength = wide ? 16 : 8;
  if (length < headerLength) return null;
  const letter = (index: number): number => bytes.getUint8(at + 4 + index);
  return {
    type: String.fromCharCode(letter(0), letter(1), letter(2), letter(3)),
    start,
    bodyStart: start + headerLength,
    end: start + length,
  };
};

/** The box at `start`; null if there is none. Its end may exceed the limit: then the file is truncated. */
export const readBox = async (file: ByteSource, start: number, limit: number): Promise<Box | null> =>
  boxIn(viewOf(await file.read(start, Math.min(16, limit - start))), 0, start, limit);

/** Yields the boxes as `readBox` reads them one after another, in batches; null, the last one, where there is none. */
export async function* boxBatches(
  file: ByteSource,
  from: number,
  limit: number,
): AsyncGenerator<readonly (Box | null)[]> {
  for (let at = from; at < limit; ) {
    const first = at;
    const bytes = viewOf(await file.read(first, Math.min(BATCH_BYTES, limit - first)));
    const batch: (Box | null)[] = [];
    do {
      const box = boxIn(bytes, at - first, at, limit);
      batch.push(box);
      at = box?.end ?? limit;
    } while (at + 16 <= first + bytes.byteLength);
    yield batch;
  }
}

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

export type Structure = 'whole' | 'truncated' | 'complex' | 'external';

/** Checks the structure of an MP4 file. */
export const checkBoxes = async (file: ByteSource): Promise<Structure> => {
  let innerLeft = INNER_BOXES_MAX;
  let topLeft = TOP_BOXES_MAX;
  const walk = async (from: number, limit: number, depth: number): Promise<Structure> => {
    for await (const batch of boxBatches(file, from, limit)) {
      for (const box of batch) {
        if ((depth === 0 ? topLeft-- : innerLeft--) === 0) return 'complex';
        if (box === null || box.end > limit) return 'truncated';
        if (box.type === 'dref' && (await namesAnotherFile(file, box))) return 'external';
        if (!PARENTS.has(box.type)) continue;
        if (depth === PARENTS.size) return 'complex';
        const inside = await walk(box.bodyStart, box.end, depth + 1);
        if (inside !== 'whole') return inside;
      }
    }
    return 'whole';
  };
  return walk(0, file.size, 0);
};

/** Of each box; the others are not read. */
const CHILDREN_MAX = 2_000;
const TABLE_BYTES_MAX = 1024 ** 2;

/** The boxes within a box, or within a range of the file. */
export const boxesIn = async (file: ByteSource, { bodyStart, end }: Pick<Box, 'bodyStart' | 'end'>): Promise<Box[]> => {
  const boxes: Box[] = [];
  for (let at = bodyStart; at < end && boxes.length < CHILDREN_MAX; at = boxes.at(-1)?.end ?? end) {
    const box = await readBox(file, at, end);
    if (box === null || box.end > end) break;
    boxes.push(box);
  }
  return boxes;
};

/** The first box at a path such as `mdia/minf/stbl`. */
export const boxAt = async (
  file: ByteSource,
  from: Pick<Box, 'bodyStart' | 'end'>,
  path: string,
): Promise<Box | undefined> => {
  let box: Pick<Box, 'bodyStart' | 'end'> | undefined = from;
  for (const type of path.split('/')) box = box && (await boxesIn(file, box)).find((child) => child.type === type);
  return box as Box | undefined;
};

/** Empty where it is too large for a table. */
export const bodyOf = async (
  file: ByteSource,
  { bodyStart, end }: Pick<Box, 'bodyStart' | 'end'>,
): Promise<Uint8Array> =>
  end - bodyStart > TABLE_BYTES_MAX ? new Uint8Array() : file.read(bodyStart, end - bodyStart);

/** The id of a track, and of those that it names as its chapters. Null: it has none. Throws where it is damaged. */
export const readTrackHeader = async (
  file: ByteSource,
  track: Box,
): Promise<{ readonly id: number; readonly chapters: readonly number[] } | null> => {
  const header = await boxAt(file, track, 'tkhd');
  if (header === undefined) return null;
  const view = viewOf(await bodyOf(file, header));
  const names = await boxAt(file, track, 'tref/chap');
  const ids = viewOf(names === undefined ? new Uint8Array() : await bodyOf(file, names));
  const chapters = Array.from({ length: ids.byteLength >> 2 }, (_, index) => ids.getUint32(4 * index));
  return { id: view.getUint32(view.getUint8(0) === 1 ? 20 : 12), chapters };
};
