/**
 * Reads the chapters of a video file: from Matroska's chapters (RFC 9559, 5.1.7), and in MP4 from Nero's list (`chpl`)
 * or from the QuickTime text track that another track names as its chapters. The video library reports none of them.
 */
import { type ByteSource, viewOf } from './byte-source.ts';
import { type Box, readBox } from './iso-boxes.ts';
import type { VideoContainer } from './probe.ts';

export interface Chapter {
  readonly startMs: number;
  readonly title: string;
}

const CHAPTERS_MAX = 200;
const TITLE_CHARACTERS_MAX = 200;
/** Of each box or element; the others are not read. */
const ELEMENTS_MAX = 2_000;
const TABLE_BYTES_MAX = 1024 ** 2;

const titleOf = (bytes: Uint8Array): string => {
  const isUtf16 = bytes[0] === 0xfe && bytes[1] === 0xff;
  const text = new TextDecoder(isUtf16 ? 'utf-16be' : 'utf-8').decode(bytes);
  return [...text.replace(/\p{Cc}+/gu, ' ').trim()].slice(0, TITLE_CHARACTERS_MAX).join('');
};

/** The chapters in their order; none where the file has none or they cannot be read. Never throws for the content. */
export const readChapters = async (file: ByteSource, container: VideoContainer): Promise<readonly Chapter[]> => {
  try {
    const found = container === 'mp4' ? await mp4Chapters(file) : await matroskaChapters(file);
    return found
      .filter(({ startMs, title }) => Number.isSafeInteger(startMs) && title !== '')
      .sort((a, b) => a.startMs - b.startMs)
      .slice(0, CHAPTERS_MAX);
  } catch {
    // A damaged list on an untrusted file: the video plays without it.
    return [];
  }
};

// MP4: Nero's list, else the text track.

const boxesIn = async (file: ByteSource, { bodyStart, end }: Pick<Box, 'bodyStart' | 'end'>): Promise<Box[]> => {
  const boxes: Box[] = [];
  for (let at = bodyStart; at < end && boxes.length < ELEMENTS_MAX; at = boxes.at(-1)?.end ?? end) {
    const box = await readBox(file, at, end);
    if (box === null || box.end > end) break;
    boxes.push(box);
  }
  return boxes;
};

/** The first box at a path such as `mdia/minf/stbl`. */
const boxAt = async (
  file: ByteSource,
  from: Pick<Box, 'bodyStart' | 'end'>,
  path: string,
): Promise<Box | undefined> => {
  let box: Pick<Box, 'bodyStart' | 'end'> | undefined = from;
  for (const type of path.split('/')) box = box && (await boxesIn(file, box)).find((child) => child.type === type);
  return box as Box | undefined;
};

const bodyOf = async (file: ByteSource, { bodyStart, end }: Box): Promise<Uint8Array> =>
  end - bodyStart > TABLE_BYTES_MAX ? new Uint8Array() : file.read(bodyStart, end - bodyStart);

const mp4Chapters = async (file: ByteSource): Promise<Chapter[]> => {
  const whole = { bodyStart: 0, end: file.size };
  const moov = await boxAt(file, whole, 'moov');
  if (moov === undefined) return [];
  const list = await boxAt(file, moov, 'udta/chpl');
  const named = list === undefined ? [] : neroChapters(await bodyOf(file, list));
  return named.length > 0 ? named : textTrackChapters(file, moov);
};

/** Version, flags, and in version 1 four more bytes; then the count, and of each its start in 100 ns and its title. */
const neroChapters = (body: Uint8Array): Chapter[] => {
  const view = viewOf(body);
  let at = view.getUint8(0) === 0 ? 4 : 8;
  const count = view.getUint8(at);
  at += 1;
  const chapters: Chapter[] = [];
  for (let index = 0; index < count; index += 1) {
    const startMs = Number(view.getBigUint64(at) / 10_000n);
    const length = view.getUint8(at + 8);
    chapters.push({ startMs, title: titleOf(body.subarray(at + 9, at + 9 + length)) });
    at += 9 + length;
  }
  return chapters;
};

const textTrackChapters = async (file: ByteSource, moov: Box): Promise<Chapter[]> => {
  const tracks = (await boxesIn(file, moov)).filter(({ type }) => type === 'trak');
  const wanted = new Set<number>();
  const byId = new Map<number, Box>();
  for (const track of tracks) {
    const header = await boxAt(file, track, 'tkhd');
    if (header === undefined) continue;
    const view = viewOf(await bodyOf(file, header));
    byId.set(view.getUint32(view.getUint8(0) === 1 ? 20 : 12), track);
    const names = await boxAt(file, track, 'tref/chap');
    const ids = viewOf(names === undefined ? new Uint8Array() : await bodyOf(file, names));
    for (let at = 0; at + 4 <= ids.byteLength; at += 4) wanted.add(ids.getUint32(at));
  }
  for (const id of wanted) {
    const track = byId.get(id);
    const chapters = track === undefined ? [] : await samplesAsChapters(file, track);
    if (chapters.length > 0) return chapters;
  }
  return [];
};

/** Sample tables of a text track (ISO/IEC 14496-12, 8.6 and 8.7); each sample is a length and its text. */
const samplesAsChapters = async (file: ByteSource, track: Box): Promise<Chapter[]> => {
  const media = await boxAt(file, track, 'mdia/mdhd');
  const table = await boxAt(file, track, 'mdia/minf/stbl');
  if (media === undefined || table === undefined) return [];
  const mdhd = viewOf(await bodyOf(file, media));
  const timescale = mdhd.getUint32(mdhd.getUint8(0) === 1 ? 20 : 12);
  const children = await boxesIn(file, table);
  const read = async (type: string): Promise<DataView> => {
    const box = children.find((child) => child.type === type);
    return viewOf(box === undefined ? new Uint8Array(16) : await bodyOf(file, box));
  };
  const starts = sampleStarts(await read('stts'));
  const sizes = sampleSizes(await read('stsz'));
  const isWide = children.some(({ type }) => type === 'co64');
  const offsets = sampleOffsets(await read(isWide ? 'co64' : 'stco'), isWide, await read('stsc'), sizes);
  const chapters: Chapter[] = [];
  for (const [index, offset] of offsets.entries()) {
    const [start, size] = [starts[index], sizes[index] ?? 0];
    if (start === undefined || size < 2) continue;
    const sample = await file.read(offset, Math.min(size, 4 * TITLE_CHARACTERS_MAX));
    const length = viewOf(sample).getUint16(0);
    chapters.push({ startMs: Math.round((start * 1_000) / timescale), title: titleOf(sample.subarray(2, 2 + length)) });
  }
  return chapters;
};

/** `stts`: runs of samples of the same duration. */
const sampleStarts = (view: DataView): number[] => {
  const starts: number[] = [];
  let time = 0;
  for (let run = 0; run < view.getUint32(4); run += 1) {
    const [count, duration] = [view.getUint32(8 + 8 * run), view.getUint32(12 + 8 * run)];
    for (let sample = 0; sample < count && starts.length < CHAPTERS_MAX; sample += 1) {
      starts.push(time);
      time += duration;
    }
  }
  return starts;
};

/** `stsz`: one size for all, or one for each. */
const sampleSizes = (view: DataView): number[] => {
  const [same, count] = [view.getUint32(4), Math.min(view.getUint32(8), CHAPTERS_MAX)];
  return Array.from({ length: count }, (_, index) => (same === 0 ? view.getUint32(12 + 4 * index) : same));
};

/** `stco` or `co64` has the chunks, and `stsc` the runs of chunks with the same number of samples. */
const sampleOffsets = (chunks: DataView, isWide: boolean, runs: DataView, sizes: readonly number[]): number[] => {
  const offsets: number[] = [];
  let run = 0;
  for (let chunk = 0; chunk < chunks.getUint32(4) && offsets.length < sizes.length; chunk += 1) {
    if (run + 1 < runs.getUint32(4) && runs.getUint32(8 + 12 * (run + 1)) === chunk + 1) run += 1;
    let offset = isWide ? Number(chunks.getBigUint64(8 + 8 * chunk)) : chunks.getUint32(8 + 4 * chunk);
    for (let left = runs.getUint32(12 + 12 * run); left > 0 && offsets.length < sizes.length; left -= 1) {
      offsets.push(offset);
      offset += sizes[offsets.length - 1] ?? 0;
    }
  }
  return offsets;
};

// Matroska: the Chapters element, before the first cluster or where the seek head says.

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const SEEK_HEAD = 0x114d9b74;
const CHAPTERS = 0x1043a770;
const SEEK = 0x4dbb;
const SEEK_ID = 0x53ab;
const SEEK_POSITION = 0x53ac;
const EDITION = 0x45b9;
const ATOM = 0xb6;
const ATOM_START = 0x91;
const ATOM_HIDDEN = 0x98;
const DISPLAY = 0x80;
const DISPLAY_TEXT = 0x85;
const NANOSECONDS = 1_000_000n;

interface Element {
  readonly id: number;
  readonly bodyStart: number;
  readonly end: number;
}

/** The element at `at` of `bytes`; an unknown size ends with `bytes`. */
const elementAt = (bytes: Uint8Array, at: number, limit: number): Element | null => {
  const idLength = Math.clz32(bytes[at] ?? 0) - 23;
  const sizeLength = Math.clz32(bytes[at + idLength] ?? 0) - 23;
  const bodyStart = at + idLength + sizeLength;
  if (idLength > 4 || sizeLength > 8 || bodyStart > bytes.length) return null;
  const id = numberIn(bytes.subarray(at, at + idLength));
  const size = numberIn(bytes.subarray(at + idLength, bodyStart)) & ((1n << BigInt(7 * sizeLength)) - 1n);
  const isUnknown = size === (1n << BigInt(7 * sizeLength)) - 1n;
  return { id: Number(id), bodyStart, end: isUnknown ? limit : bodyStart + Number(size) };
};

const numberIn = (bytes: Uint8Array): bigint => bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);

const childrenOf = (bytes: Uint8Array): { readonly id: number; readonly body: Uint8Array }[] => {
  const children: { readonly id: number; readonly body: Uint8Array }[] = [];
  for (let at = 0; at < bytes.length && children.length < ELEMENTS_MAX; ) {
    const element = elementAt(bytes, at, bytes.length);
    if (element === null || element.end > bytes.length) break;
    children.push({ id: element.id, body: bytes.subarray(element.bodyStart, element.end) });
    at = element.end;
  }
  return children;
};

const HEADER_BYTES = 12;

const readElement = async (file: ByteSource, at: number): Promise<Element | null> => {
  const element = elementAt(await file.read(at, HEADER_BYTES), 0, file.size - at);
  return element && { id: element.id, bodyStart: at + element.bodyStart, end: at + element.end };
};

const matroskaChapters = async (file: ByteSource): Promise<Chapter[]> => {
  const body = async ({ bodyStart, end }: Element): Promise<Uint8Array> =>
    end - bodyStart > TABLE_BYTES_MAX ? new Uint8Array() : file.read(bodyStart, end - bodyStart);
  let segment = await readElement(file, 0);
  if (segment !== null && segment.id !== SEGMENT) segment = await readElement(file, segment.end);
  if (segment?.id !== SEGMENT) return [];
  let announced: number | null = null;
  let at = segment.bodyStart;
  for (let count = 0; count < ELEMENTS_MAX && at < Math.min(segment.end, file.size); count += 1) {
    const element = await readElement(file, at);
    if (element === null || element.id === CLUSTER) break;
    if (element.id === CHAPTERS) return atomsOf(await body(element));
    if (element.id === SEEK_HEAD) announced ??= positionOfChapters(await body(element));
    at = element.end;
  }
  const there = announced === null ? null : await readElement(file, segment.bodyStart + announced);
  return there?.id === CHAPTERS ? atomsOf(await body(there)) : [];
};

const positionOfChapters = (seekHead: Uint8Array): number | null => {
  for (const { id, body } of childrenOf(seekHead)) {
    if (id !== SEEK) continue;
    const parts = new Map(childrenOf(body).map((part) => [part.id, numberIn(part.body)]));
    const position = parts.get(SEEK_POSITION);
    if (parts.get(SEEK_ID) === BigInt(CHAPTERS) && position !== undefined) return Number(position);
  }
  return null;
};

/** Those of the first edition; chapters within chapters are left out. */
const atomsOf = (chapters: Uint8Array): Chapter[] => {
  const edition = childrenOf(chapters).find(({ id }) => id === EDITION);
  const found: Chapter[] = [];
  for (const { id, body } of childrenOf(edition?.body ?? new Uint8Array())) {
    const parts = id === ATOM ? childrenOf(body) : [];
    const partOf = (wanted: number): Uint8Array | undefined => parts.find((part) => part.id === wanted)?.body;
    const start = partOf(ATOM_START);
    const display = childrenOf(partOf(DISPLAY) ?? new Uint8Array());
    const text = display.find((part) => part.id === DISPLAY_TEXT)?.body;
    if (start === undefined || text === undefined || numberIn(partOf(ATOM_HIDDEN) ?? new Uint8Array()) !== 0n) continue;
    found.push({ startMs: Number(numberIn(start) / NANOSECONDS), title: titleOf(text) });
  }
  return found;
};
