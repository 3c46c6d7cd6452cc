/**
 * Checks a probed video against `limits.video` (API document, "limits.video") and reports the violations. Also
 * describes the accepted formats and the largest picture size in one sentence.
 */
import { bitrateCeiling, type VideoFormat, type VideoLimits } from '../../api/account.ts';
import type { VideoProbe } from './probe.ts';

type VideoProblemCode =
  | 'CONTAINER'
  | 'VIDEO_CODEC'
  | 'PIXEL_FORMAT'
  | 'LONG_SIDE'
  | 'SHORT_SIDE'
  | 'FPS'
  | 'DURATION'
  | 'AUDIO_STREAMS'
  | 'AUDIO_CODEC'
  | 'BITRATE';

/** One violation of `limits.video`: the value (`actual`) and the limit (`allowed`). */
export interface VideoProblem {
  readonly code: VideoProblemCode;
  readonly message: string;
  readonly actual: number | string;
  readonly allowed: number | readonly string[];
}

const NAMES: Readonly<Record<string, string>> = {
  mp4: 'MP4',
  webm: 'WebM',
  h264: 'H.264',
  hevc: 'HEVC',
  vp8: 'VP8',
  vp9: 'VP9',
  av1: 'AV1',
  aac: 'AAC',
  opus: 'Opus',
};
const nameOf = (value: string): string => NAMES[value] ?? value;
const list = (values: readonly string[]): string => values.map(nameOf).join('/');
const rounded = (value: number): number => Math.round(value * 100) / 100;

/** The video limits as a sentence: "H.264 with AAC (MP4) or VP9/AV1 with Opus (WebM), up to 3840 x 2160". */
export const describeVideoLimits = ({ formats, maxLongSide, maxShortSide }: VideoLimits): string => {
  const accepted = formats.map((f) => `${list(f.videoCodecs)} with ${list(f.audioCodecs)} (${nameOf(f.container)})`);
  return `${accepted.join(' or ')}, up to ${maxLongSide} x ${maxShortSide}`;
};

/** `what` begins the sentence, `unit` follows both numbers. Null: within the limit. */
const above = (
  code: VideoProblemCode,
  actual: number,
  allowed: number,
  { what, unit }: { what: string; unit: string },
): VideoProblem | null =>
  actual > allowed
    ? { code, actual, allowed, message: `${what} ${actual} ${unit}; at most ${allowed} ${unit}.` }
    : null;

const notAmong = (
  code: VideoProblemCode,
  actual: string,
  allowed: readonly string[],
  what: string,
): VideoProblem | null =>
  allowed.includes(actual)
    ? null
    : { code, actual, allowed, message: `${what} is ${nameOf(actual)}; allowed: ${list(allowed)}.` };

const judgeCodecs = (probe: VideoProbe, format: VideoFormat): readonly (VideoProblem | null)[] => [
  ...probe.streams.map(
    ({ codec, pixelFormat }) =>
      notAmong('VIDEO_CODEC', codec, format.videoCodecs, 'The video codec') ??
      notAmong('PIXEL_FORMAT', pixelFormat, format.pixelFormats, 'The pixel format'),
  ),
  ...[...new Set(probe.audioCodecs)].map((codec) =>
    notAmong('AUDIO_CODEC', codec, format.audioCodecs, 'The audio codec'),
  ),
];

const judgePictures = ({ streams }: VideoProbe, limits: VideoLimits): readonly (VideoProblem | null)[] => {
  const long = Math.max(...streams.map(({ width, height }) => Math.max(width, height)));
  const short = Math.max(...streams.map(({ width, height }) => Math.min(width, height)));
  const fastest = streams.reduce((a, b) => (b.fpsAtLeast > a.fpsAtLeast ? b : a));
  const pixels = (side: string) => ({ what: `The ${side} side is`, unit: 'pixels' });
  return [
    above('LONG_SIDE', long, limits.maxLongSide, pixels('long')),
    above('SHORT_SIDE', short, limits.maxShortSide, pixels('short')),
    fastest.fpsAtLeast <= limits.maxFps
      ? null
      : above('FPS', rounded(fastest.fps), limits.maxFps, { what: 'The video has', unit: 'frames per second' }),
  ];
};

const judgeWhole = (probe: VideoProbe, limits: VideoLimits): readonly (VideoProblem | null)[] => {
  const [{ width, height, fps }] = probe.streams;
  const ceiling = Math.floor(bitrateCeiling(limits, { width, height, fps }));
  const sounds = { what: 'The video has', unit: 'audio streams' };
  return [
    above('DURATION', rounded(probe.seconds), limits.maxSeconds, { what: 'The video lasts', unit: 'seconds' }),
    above('AUDIO_STREAMS', probe.audioCodecs.length, limits.maxAudioStreams, sounds),
    above('BITRATE', Math.floor(probe.bitrate), ceiling, { what: 'The average bitrate is', unit: 'bit/s' }),
  ];
};

/**
 * Empty: the video may be stored unchanged. Sizes in pixels, rates in bits or frames per second, lengths in seconds.
 */
export const validateVideo = (probe: VideoProbe, limits: VideoLimits): readonly VideoProblem[] => {
  const format = limits.formats.find(({ container }) => container === probe.container);
  const containers = limits.formats.map(({ container }) => container);
  return [
    ...(format === undefined
      ? [notAmong('CONTAINER', probe.container, containers, 'The container')]
      : judgeCodecs(probe, format)),
    ...judgePictures(probe, limits),
    ...judgeWhole(probe, limits),
  ].filter((problem) => problem !== null);
};
