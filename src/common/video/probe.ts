/**
 * Reads the properties of a video file: codecs, pixel formats, picture size, real frame rate, duration, bitrate. Only
 * the demuxer of the detected container opens it, and no frame is decoded. The service and the app share this code, so
 * both accept the same videos. Codecs and pixel formats have the names that ffprobe uses.
 */
import {
  CustomSource,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MP4,
  WEBM,
} from 'mediabunny';
import { type ByteSource, viewOf } from './byte-source.ts';
import { type H264Pictures, readAvcConfig } from './h264.ts';
import { checkBoxes } from './iso-boxes.ts';

export type VideoContainer = 'mp4' | 'webm';

interface VideoStream {
  readonly codec: string;
  readonly pixelFormat: string;
  /** Coded pixels, before rotation. */
  readonly width: number;
  readonly height: number;
  readonly rotation: 0 | 90 | 180 | 270;
  /** Frames per second on average over the whole stream. */
  readonly fps: number;
  /** The lower bound that rounded timestamps allow; limits are checked against it. */
  readonly fpsAtLeast: number;
}

export interface VideoProbe {
  readonly container: VideoContainer;
  readonly streams: readonly [VideoStream, ...VideoStream[]];
  /** Of each track that has sound. */
  readonly audioCodecs: readonly string[];
  readonly seconds: number;
  /** Bits per second on average, over the whole file. */
  readonly bitrate: number;
}

/** `reason` is a sentence for the user who sent the file. */
export type ProbeResult =
  | { readonly ok: true; readonly probe: VideoProbe }
  | { readonly ok: false; readonly reason: string };

const CODEC_NAMES: Readonly<Record<string, string>> = { avc: 'h264' };

type Track = InputVideoTrack | InputAudioTrack;

/** ffprobe's name if there is one, else the container's. */
const codecName = async (track: Track): Promise<string> => {
  const codec = await track.getCodec();
  if (codec !== null) return CODEC_NAMES[codec] ?? codec;
  const own = await track.getInternalCodecId();
  return typeof own === 'string' ? own : 'unknown';
};

const pictures = async (
  track: InputVideoTrack,
): Promise<Pick<VideoStream, 'pixelFormat' | 'width' | 'height'> | null> => {
  const stated = { width: await track.getCodedWidth(), height: await track.getCodedHeight() };
  const codec = await track.getCodec();
  switch (codec) {
    case 'avc': {
      const description = (await track.getDecoderConfig())?.description;
      const record = description === undefined ? null : readAvcConfig(bytesOf(description));
      return record && { pixelFormat: h264PixelFormat(record), width: record.width, height: record.height };
    }
    case 'vp9':
      return { pixelFormat: vp9PixelFormat((await track.getCodecParameterString()) ?? ''), ...stated };
    case 'av1':
      return { pixelFormat: av1PixelFormat((await track.getCodecParameterString()) ?? ''), ...stated };
    case 'vp8':
      return { pixelFormat: 'yuv420p', ...stated };
    default:
      return { pixelFormat: 'unknown', ...stated };
  }
};

const bytesOf = (data: ArrayBufferLike | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);

/** Whether the last packet of a track is present: a truncated file announces packets that it does not contain. */
const hasItsEnd = async (track: Track): Promise<boolean> =>
  (await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY)) !== null;

/** A recorder declares its sound before there is any, and there may never be. */
const isEmpty = async (track: Track): Promise<boolean> => (await track.computePacketStats(1)).packetCount === 0;

const readStream = async (track: InputVideoTrack): Promise<VideoStream | null> => {
  const picture = await pictures(track);
  const { packetCount } = await track.computePacketStats();
  const last = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY, { metadataOnly: true });
  if (picture === null || last === null || packetCount === 0) return null;
  const span = (await track.computeDuration()) - (await track.getFirstTimestamp());
  // A WebM without default duration does not give the duration of its last frame: assume the average.
  const seconds = last.duration > 0 ? span : (span * packetCount) / Math.max(1, packetCount - 1);
  const tick = 1 / (await track.getTimeResolution());
  return {
    codec: await codecName(track),
    ...picture,
    rotation: await track.getRotation(),
    fps: seconds > 0 ? packetCount / seconds : packetCount,
    fpsAtLeast: packetCount / (seconds + 2 * tick),
  };
};

/** Opens a video with the demuxer of its container only. Dispose of it when done; `file` stays open. */
export const openVideo = (file: ByteSource, container: VideoContainer): Input =>
  new Input({
    formats: [container === 'mp4' ? MP4 : WEBM],
    source: new CustomSource({
      getSize: () => file.size,
      read: (start, end) => file.read(start, end - start),
      prefetchProfile: 'fileSystem',
    }),
  });

const readTracks = async (file: ByteSource, container: VideoContainer): Promise<ProbeResult> => {
  const input = openVideo(file, container);
  try {
    return await readInput(input, container, file.size);
  } finally {
    input.dispose();
  }
};

const readInput = async (input: Input, container: VideoContainer, size: number): Promise<ProbeResult> => {
  const videoTracks = await input.getVideoTracks();
  const audioTracks: InputAudioTrack[] = [];
  for (const track of await input.getAudioTracks()) if (!(await isEmpty(track))) audioTracks.push(track);
  const [first, ...others] = await Promise.all(videoTracks.map(readStream));
  if (first === undefined) return { ok: false, reason: 'The file holds no video.' };
  const streams = [first, ...others].filter((stream) => stream !== null);
  const [primary, ...rest] = streams;
  if (primary === undefined || streams.length < videoTracks.length)
    return { ok: false, reason: 'The video cannot be read: frames or their description are missing.' };
  for (const track of [...videoTracks, ...audioTracks])
    if (!(await hasItsEnd(track))) return { ok: false, reason: 'The video is cut off: its end is missing.' };
  const seconds = await input.computeDuration();
  if (!(seconds > 0)) return { ok: false, reason: 'The video has no duration.' };
  const audioCodecs = await Promise.all(audioTracks.map(codecName));
  const probe = {
    container,
    streams: [primary, ...rest] as const,
    audioCodecs,
    seconds,
    bitrate: (size * 8) / seconds,
  };
  return { ok: true, probe };
};

/** Probes bytes whose signature is `container`. Never throws for their content. */
export const readVideo = async (file: ByteSource, container: VideoContainer): Promise<ProbeResult> => {
  try {
    const structure = container === 'mp4' ? await checkBoxes(file) : (await isSegmentCut(file)) ? 'truncated' : 'whole';
    if (structure === 'truncated') return { ok: false, reason: 'The video is cut off or damaged.' };
    if (structure === 'complex') return { ok: false, reason: 'The video has too many parts to be read.' };
    if (structure === 'external') return { ok: false, reason: 'The video refers to media outside the file.' };
    return await readTracks(file, container);
  } catch {
    // A demuxer error on an untrusted file means a damaged file, not a bug of the reader.
    return { ok: false, reason: 'The video cannot be read.' };
  }
};

// Derives ffprobe's pixel format names (`yuv420p`, `yuvj420p`, `yuv420p10le`, ...) from codec headers.

const CHROMA = ['gray', 'yuv420p', 'yuv422p', 'yuv444p'] as const;

const named = (chroma: number, bitDepth: number): string => {
  const base = CHROMA[chroma] ?? 'unknown';
  return bitDepth === 8 ? base : `${base}${bitDepth}le`;
};

/** RGB, and full-range H.264 of 8 bits, have names of their own; grey pictures decode to 4:2:0. */
const h264PixelFormat = ({ chroma, bitDepth, fullRange, rgb }: H264Pictures): string => {
  const name = named(Math.max(1, chroma), bitDepth);
  if (rgb && chroma === 3) return name.replace('yuv444p', 'gbrp');
  return fullRange && bitDepth === 8 ? name.replace('yuv', 'yuvj') : name;
};

/** From the codec string of VP9 (`vp09.profile.level.depth.chroma...`; omitted fields have their defaults). */
const vp9PixelFormat = (codec: string): string => {
  const [, profile = '00', , depth = '08', chroma] = codec.split('.');
  // Profiles 0 and 2 are always 4:2:0; chroma 0 and 1 differ only in sample position.
  if (profile === '00' || profile === '02') return named(1, Number(depth));
  return named(chroma === '02' ? 2 : chroma === '03' ? 3 : 1, Number(depth));
};

/** From the codec string of AV1 (`av01.profile.level.depth.monochrome.chroma...`). */
const av1PixelFormat = (codec: string): string => {
  const [, , , depth = '08', monochrome = '0', chroma = '110'] = codec.split('.');
  if (monochrome === '1') return named(0, Number(depth));
  return named(chroma.startsWith('00') ? 3 : chroma.startsWith('10') ? 2 : 1, Number(depth));
};

// Detects whether a WebM file contains all the bytes that its Segment element announces (RFC 8794; RFC 9559, 5.1).

const EBML_ID = 0x1a45dfa3;
const SEGMENT_ID = 0x18538067;
const HEAD_BYTES = 4_096;

/** A variable-length number at `at`: its length in bytes and its value; null value: "unknown size". */
const readVint = (head: Uint8Array, at: number): { length: number; value: number | null } | null => {
  const first = head[at];
  if (first === undefined || first === 0) return null;
  const length = Math.clz32(first) - 23;
  if (at + length > head.length) return null;
  let value = first & (0xff >> length);
  let unknown = value === 0xff >> length;
  for (let index = 1; index < length; index++) {
    const byte = head[at + index] ?? 0;
    unknown &&= byte === 0xff;
    value = value * 256 + byte;
  }
  return { length, value: unknown ? null : value };
};

/** Whether the file is truncated. A live recording gives no size and is accepted. */
const isSegmentCut = async (file: ByteSource): Promise<boolean> => {
  const head = await file.read(0, HEAD_BYTES);
  let at = 0;
  while (at + 4 <= head.length) {
    const id = viewOf(head).getUint32(at);
    const data = readVint(head, at + 4);
    if (data === null) return true;
    const start = at + 4 + data.length;
    if (id === SEGMENT_ID) return data.value !== null && start + data.value > file.size;
    if (id !== EBML_ID || data.value === null) return true;
    at = start + data.value;
  }
  return true;
};
