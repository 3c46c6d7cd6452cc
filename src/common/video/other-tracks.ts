/**
 * Detects tracks other than pictures, sound, time codes and chapters: captions and the private data of cameras, which
 * may contain anything, such as the place of each second.
 */
import type { ByteSource } from './byte-source.ts';
import { isNeroTrack } from './chapters.ts';
import { bodyOf, boxAt, boxesIn, readTrackHeader } from './iso-boxes.ts';
import { CLUSTER, childrenOf, ELEMENTS_MAX, numberIn, readElement, readSegment } from './matroska.ts';
import type { VideoContainer } from './probe.ts';

/** Also true where the tracks cannot be read. Throws where the file cannot be read. */
export const hasOtherTracks = (file: ByteSource, container: VideoContainer): Promise<boolean> =>
  container === 'mp4' ? inMp4(file) : inMatroska(file);

const PLAIN_HANDLERS = ['vide', 'soun', 'tmcd'];
const TEXT_HANDLERS = ['text', 'sbtl'];

const inMp4 = async (file: ByteSource): Promise<boolean> => {
  const moov = await boxAt(file, { bodyStart: 0, end: file.size }, 'moov');
  if (moov === undefined) return true;
  const chapters = new Set<number>();
  const texts: number[] = [];
  for (const track of (await boxesIn(file, moov)).filter(({ type }) => type === 'trak')) {
    const header = await readTrackHeader(file, track).catch(() => null);
    const handlerBox = await boxAt(file, track, 'mdia/hdlr');
    if (header === null || handlerBox === undefined) return true;
    const handler = String.fromCharCode(...(await bodyOf(file, handlerBox)).subarray(8, 12));
    for (const id of header.chapters) chapters.add(id);
    if (TEXT_HANDLERS.includes(handler)) {
      if (!(await isNeroTrack(file, moov, track).catch(() => false))) texts.push(header.id);
    } else if (!PLAIN_HANDLERS.includes(handler)) return true;
  }
  return texts.some((id) => !chapters.has(id));
};

const TRACKS = 0x1654ae6b;
const TRACK = 0xae;
const TRACK_TYPE = 0x83;
const PICTURE = 1n;
const SOUND = 2n;

const inMatroska = async (file: ByteSource): Promise<boolean> => {
  const segment = await readSegment(file);
  let at = segment?.bodyStart ?? file.size;
  for (let left = ELEMENTS_MAX; left > 0 && at < file.size; left -= 1) {
    const element = await readElement(file, at);
    if (element === null || element.id === CLUSTER) return true;
    if (element.id === TRACKS) return childrenOf(await bodyOf(file, element)).some(isOther);
    at = element.end;
  }
  return true;
};

const isOther = ({ id, body }: { readonly id: number; readonly body: Uint8Array }): boolean => {
  const type = childrenOf(body).find((part) => part.id === TRACK_TYPE);
  return id === TRACK && (type === undefined || ![PICTURE, SOUND].includes(numberIn(type.body)));
};
