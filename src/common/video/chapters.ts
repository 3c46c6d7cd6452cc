/**
 * Reads the chapters of a video file: from Matroska's chapters (RFC 9559, 5.1.7), and in MP4 from Nero's list (`chpl`)
 * or from the QuickTime text track that another track names as its chapters. The video library reports none of them.
 */
import { type ByteSource, viewOf } from './byte-source.ts';
import { type Box, bodyOf, boxAt, boxesIn, readTrackHeader } from './iso-boxes.ts';
import { CLUSTER, childrenOf, ELEMENTS_MAX, numberIn, readElement, readSegment } from './matroska.ts';
import type { VideoContainer } from './probe.ts';

export interface Chapter {
  readonly startMs: number;
  readonly title: string;
}

const CHAPTERS_MAX = 200;
const TITLE_CHARACTERS_MAX = 200;

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

const mp4Chapters = async (file: ByteSource): Promise<Chapter[]> => {
  const whole = { bodyStart: 0, end: file.size };
  const moov = await boxAt(file, whole, 'moov');
  if (moov === undefined) return [];
  const list = await boxAt(file, moov, 'udta/chpl');
  const named = list === undefined ? [] : neroChapters(await bodyOf(file, list));
  return named.length > 0 ? named : textTrackChapters(file, moov);
};

/** Whether the texts of a track are the titles in Nero's list: ffmpeg does not name such a track beside a time code. */
export const isNeroTrack = async (file: ByteSource, moov: Box, track: Box): Promise<boolean> => {
  const list = await boxAt(file, moov, 'udta/chpl');
  if (list === undefined) return false;
  const [named, texts] = [neroChapters(await bodyOf(file, list)), await samplesAsChapters(file, track)];
  return named.length === texts.length && named.every(({ title }, index) => title === texts[index]?.title);
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
    const header = await readTrackHeader(file, track);
    if (header === null) continue;
    byId.set(header.id, track);
    for (const id of header.chapters) wanted.add(id);
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

const matroskaChapters = async (file: ByteSource): Promise<Chapter[]> => {
  const segment = await readSegment(file);
  if (segment === null) return [];
  let announced: number | null = null;
  let at = segment.bodyStart;
  for (let count = 0; count < ELEMENTS_MAX && at < Math.min(segment.end, file.size); count += 1) {
    const element = await readElement(file, at);
    if (element === null || element.id === CLUSTER) break;
    if (element.id === CHAPTERS) return atomsOf(await bodyOf(file, element));
    if (element.id === SEEK_HEAD) announced ??= positionOfChapters(await bodyOf(file, element));
    at = element.end;
  }
  const there = announced === null ? null : await readElement(file, segment.bodyStart + announced);
  return there?.id === CHAPTERS ? atomsOf(await bodyOf(file, there)) : [];
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
