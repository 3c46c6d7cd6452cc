/**
 * Reads a video's metadata with ffmpeg alone, because ffprobe may be missing: the streams from `-i`, and the real frame
 * rate, length and bitrate from every video packet, and the length of a sound that may outlast the picture from its
 * packets. It copies the packets instead of decoding them. Lines are matched strictly, because tags of the file appear
 * between them.
 */
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { type Ffmpeg, inputOf } from './ffmpeg.ts';
import type { Sound, VideoMetadata } from './video-metadata.ts';

type Read = Omit<VideoMetadata, 'size' | 'service' | 'container' | 'hasLocation' | 'isCut'> & {
  /** The content is much shorter than the header declares. */
  readonly isShort: boolean;
};

const LIMIT_MS = 10 * 60_000;
/** Upper bound for memory; more frames than hours of video have. */
const PACKETS_MAX = 2_000_000;

/** A file that declares to be longer than its picture by this may have a sound that outlasts it. */
const OUTLASTING_SECONDS = 0.5;

/** Below every real timestamp; ffmpeg writes -2^63 where there is none. */
const NO_TIME = -(2 ** 62);

/** Parses timestamps and sizes of packets from the output of `-f framecrc`. */
const createPacketReader = () => {
  let tick = 0;
  let bytes = 0;
  let longest = 0;
  let last = Number.NEGATIVE_INFINITY;
  const times: number[] = [];
  return {
    line(line: string): void {
      const base = /^#tb 0: (\d+)\/(\d+)$/.exec(line);
      if (base) tick = Number(base[1]) / Number(base[2]);
      if (!line.startsWith('0,') || times.length >= PACKETS_MAX) return;
      const [, dts = Number.NaN, shown = Number.NaN, duration, size] = line.split(',').map(Number);
      // AVI stores decoding times only.
      const pts = shown > NO_TIME ? shown : dts;
      if (!(pts > NO_TIME)) return;
      times.push(pts);
      bytes += size || 0;
      if (pts >= last) [last, longest] = [pts, duration || 0];
    },
    /** Null: no packet at all. */
    result(): { fps: number; pace: number; seconds: number; end: number; bitrate: number } | null {
      const sorted = times.toSorted((a, b) => a - b);
      const [first] = sorted;
      if (first === undefined || tick === 0) return null;
      const gaps = sorted
        .slice(1)
        .flatMap((time, index) => (time > (sorted[index] ?? time) ? [time - (sorted[index] ?? 0)] : []));
      gaps.sort((a, b) => a - b);
      const usual = (gaps[gaps.length >> 1] ?? 0) * tick;
      const span = (last - first) * tick;
      const seconds = span + (longest * tick || usual || 1 / 25);
      const end = first * tick + seconds;
      const fps = times.length / seconds;
      const pace = usual > 0 ? Math.max(fps, 1 / usual) : fps;
      return { fps, pace, seconds, end, bitrate: (bytes * 8) / seconds };
    },
  };
};

/**
 * The lines of stderr that describe the input's streams. The tags of the file precede them, and versions before 5
 * indent both alike.
 */
const streamLines = (stderr: string): readonly string[] => {
  const lines = stderr.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith('  Duration: '));
  const end = lines.findIndex((line) => line.startsWith('Output #0'));
  return start < 0 ? [] : lines.slice(start + 1, end < 0 ? undefined : end);
};

const STREAM =
  /^ {2,4}Stream #0:(\d+)(?:\[0x[0-9a-f]+\])?(?:\([^)]*\))?: (Video|Audio|Subtitle|Data|Attachment): (.*)$/;
const GROUP = /^ {2,4}Stream group #/;
/** Other words since 7.1, and other indents in groups; a tag of this name has a value after it. */
const TURN = /^ {6,10}(?:display ?matrix: rotation of (-?[\d.]+) degrees|rotate {10}: (-?\d+))$/i;

interface Stream {
  readonly kind: string;
  readonly text: string;
  readonly rotation: number;
}

/** In the order of the file: those of groups and programs are listed first, and maybe again. Exported for its test. */
export const streamsIn = (stderr: string): readonly Stream[] => {
  const streams = new Map<number, Stream>();
  let number = Number.NaN;
  for (const line of streamLines(stderr)) {
    const [, index, kind = '', text = ''] = STREAM.exec(line) ?? [];
    if (index !== undefined) {
      number = Number(index);
      if (!streams.has(number)) streams.set(number, { kind, text, rotation: 0 });
    } else if (GROUP.test(line)) number = Number.NaN;
    const turn = TURN.exec(line);
    const current = streams.get(number);
    if (!turn || !current) continue;
    // The matrix counts counterclockwise.
    const degrees = turn[1] === undefined ? Number(turn[2]) : -Number(turn[1]);
    streams.set(number, { ...current, rotation: degrees });
  }
  return [...streams].toSorted(([one], [other]) => one - other).map(([, stream]) => stream);
};

const turnOf = (degrees: number): VideoMetadata['rotation'] =>
  ((((Math.round(degrees / 90) * 90) % 360) + 360) % 360) as VideoMetadata['rotation'];

/**
 * Splits "h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709, progressive), 320x180 [SAR 1:1 DAR 16:9], ..." at its
 * commas.
 */
const fieldsOf = (text: string): readonly string[] =>
  text.match(/(?:[^,([]|\([^)]*\)|\[[^\]]*\])+/g)?.map((field) => field.trim()) ?? [];

const FIELD_CODECS = new Set(['mpeg2video', 'mpeg1video', 'dvvideo', 'vc1', 'h264', 'hevc', 'mjpeg', 'prores']);
/** The matrix and the primaries, which no standard of a high dynamic range has in one word with the transfer. */
const HIGH_TRANSFERS = /(?:([\w-]+)\/([\w-]+)\/)?(?:smpte2084|arib-std-b67)/;
const UNKNOWN = /^(unknown|unspecified|reserved)/;

const pictureOf = ({ text, rotation }: Stream) => {
  const [codec = '', format = '', ...rest] = fieldsOf(text);
  const size = rest
    .map((field) => /^(\d+)x(\d+)(?: \[SAR (\d+):(\d+) DAR \d+:\d+\])?$/.exec(field))
    .find((match) => match);
  if (!size || !/^\w/.test(format)) return null;
  const pixelFormat = /^\w+/.exec(format)?.[0] ?? '';
  const sample = text.match(/\bSAR (\d+):(\d+) DAR/);
  const aspect = sample ? Number(sample[1]) / Number(sample[2]) : 1;
  const name = /^\w+/.exec(codec)?.[0] ?? '';
  const high = HIGH_TRANSFERS.exec(format);
  const isProgressive = /progressive/.test(format) || !FIELD_CODECS.has(name);
  const isInterlaced = /\b(top|bottom) (first|coded)/.test(format) || (name === 'dvvideo' && !isProgressive);
  return {
    codec: name,
    pixelFormat,
    width: Number(size[1]),
    height: Number(size[2]),
    pixelAspect: Number.isFinite(aspect) && aspect > 0 ? aspect : 1,
    rotation: turnOf(rotation),
    dynamicRange: high ? ('high' as const) : ('standard' as const),
    unknownColours: [
      ...(UNKNOWN.test(high?.[1] ?? '') ? ['matrix' as const] : []),
      ...(UNKNOWN.test(high?.[2] ?? '') ? ['primaries' as const] : []),
    ],
    scan: isInterlaced ? ('interlaced' as const) : ('progressive' as const),
  };
};

const soundsOf = (streams: readonly Stream[]): readonly Sound[] =>
  streams
    .filter(({ kind }) => kind === 'Audio')
    .map(({ text }, index) => ({ codec: /^\w+/.exec(text)?.[0] ?? '', index, text }))
    // A stream with an unknown codec or without a sample rate cannot be decoded.
    .filter(({ codec, text }) => codec !== 'none' && codec !== 'unknown' && /\d+ Hz/.test(text))
    .map(({ codec, index }) => ({ codec, index }));

const declaredSeconds = (stderr: string): number | null => {
  const match = /^ {2}Duration: (\d+):(\d+):([\d.]+),/m.exec(stderr);
  return match ? Number(match[1]) * 3_600 + Number(match[2]) * 60 + Number(match[3]) : null;
};

/** Copies the packets of one stream to nowhere. */
const readPackets = async (path: string, stream: string, ffmpeg: Ffmpeg, signal: AbortSignal) => {
  const packets = createPacketReader();
  const args = [...inputOf(path), '-map', stream, '-c', 'copy', '-f', 'framecrc', 'pipe:1'];
  const run = await ffmpeg.run(args, { onLine: packets.line, limitMs: LIMIT_MS }, signal);
  return { run, timing: packets.result() };
};

/** Errors: VIDEO_UNREADABLE where it contains no video, and those of a run. */
export const readWithFfmpeg = async (path: string, ffmpeg: Ffmpeg, signal: AbortSignal): Promise<Result<Read>> => {
  const { run, timing } = await readPackets(path, '0:V:0', ffmpeg, signal);
  if (!run.ok) return run.error.code === 'VIDEO_FIT_FAILED' ? err(failure('VIDEO_UNREADABLE', run.error.detail)) : run;
  const streams = streamsIn(run.value);
  const pictures = streams.filter(({ kind, text }) => kind === 'Video' && !text.includes('(attached pic)'));
  const picture = pictures[0] && pictureOf(pictures[0]);
  if (!picture || !timing || picture.width < 1 || picture.height < 1)
    return err(failure('VIDEO_UNREADABLE', 'The file contains no readable frame.'));
  const sounds = soundsOf(streams);
  const declared = declaredSeconds(run.value);
  const { fps, pace, seconds, bitrate } = timing;
  const [sound] = sounds;
  let wholeSeconds = seconds;
  if (sound && (declared === null || declared - seconds > OUTLASTING_SECONDS)) {
    const heard = await readPackets(path, `0:a:${sound.index}`, ffmpeg, signal);
    // A broken sound does not make the picture unreadable.
    if (!heard.run.ok && heard.run.error.code === 'CANCELLED') return heard.run;
    wholeSeconds = Math.max(seconds, heard.timing?.end ?? 0);
  }
  return ok({
    ...picture,
    ...{ fps, pace, seconds, wholeSeconds, pictureBitrate: bitrate, sounds },
    extras: streams.length - 1 - streams.filter(({ kind }) => kind === 'Audio').length,
    isShort: declared !== null && sounds.length === 0 && declared - seconds > Math.max(1, declared * 0.05),
  });
};
