/**
 * Builds the ffmpeg command lines that copy or encode a video and that encode samples of it; pure. Measurements:
 * docs/benchmarks.md, "Video".
 */

import type { VideoEncoderParams } from './encoder-params.ts';
import type { SoundPlan } from './encoding-plan.ts';
import { inputOf } from './ffmpeg.ts';
import type { Encoder, FfmpegCapabilities } from './ffmpeg-capabilities.ts';
import { rateValue } from './frame-rate.ts';
import type { VideoMetadata } from './video-metadata.ts';

const QUIET = ['-loglevel', 'warning'];
/** One video stream, no subtitles or data, and no tags: all of these may contain names, devices and places. */
const PICTURE_ONLY = ['-map', '0:V:0', '-sn', '-dn'];
const NO_TAGS = [
  ...['-map_chapters', '-1', '-map_metadata', '-1', '-map_metadata:s:v', '-1'],
  ...['-metadata:s:v', 'handler_name=', '-metadata:s:a', 'handler_name='],
];

const mapOf = (sound: SoundPlan): readonly string[] => [
  ...PICTURE_ONLY,
  ...(sound.way === 'none' ? ['-an'] : ['-map', `0:a:${sound.index}`]),
];

const soundOf = (sound: SoundPlan): readonly string[] => {
  if (sound.way === 'none') return [];
  if (sound.way === 'copy') return ['-c:a', 'copy'];
  const name = sound.codec === 'opus' ? 'libopus' : 'aac';
  return ['-c:a', name, '-b:a', String(sound.bits), '-ac', '2', '-ar', '48000'];
};

const outputOf = (container: 'mp4' | 'webm', path: string): readonly string[] => [
  ...(container === 'mp4' ? ['-movflags', '+faststart'] : []),
  ...['-f', container, path],
];

/** Copies the video stream. */
export const copyArguments = (
  source: string,
  { container, sound }: { readonly container: 'mp4' | 'webm'; readonly sound: SoundPlan },
  target: string,
): readonly string[] => [
  ...QUIET,
  ...inputOf(source),
  ...mapOf(sound),
  ...NO_TAGS,
  ...['-c:v', 'copy', ...soundOf(sound)],
  ...outputOf(container, target),
];

const RGB = /^(gbr|rgb|bgr|argb|abgr|pal8|0rgb|0bgr)/;

/** What a video of a high dynamic range means where it does not say it, in the words of `setparams`. */
const USUAL_COLOURS = { primaries: 'color_primaries=bt2020', matrix: 'colorspace=bt2020nc' };

/** Tone-maps HDR to SDR at the standard white level (203 nits). */
const TONE_MAP =
  'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=mobius:desat=0,zscale=t=bt709:m=bt709:r=tv';

/**
 * Scales to the planned sides; they change places where ffmpeg has turned the picture otherwise than its description
 * was understood, so that no picture is squeezed.
 */
const scaleTo = (width: number, height: number): string => {
  const isOtherwise = `lt((iw*sar-ih)*(${width}-${height}),0)`;
  return `scale=w='if(${isOtherwise},${height},${width})':h='if(${isOtherwise},${width},${height})'`;
};

const filtersOf = (metadata: VideoMetadata, params: VideoEncoderParams, tools: FfmpegCapabilities): string => {
  const { rate, width, height, hold, seconds } = params;
  const isHigh = metadata.dynamicRange === 'high' && tools.canToneMap;
  const matrix = RGB.test(metadata.pixelFormat) ? ':out_color_matrix=bt709' : '';
  return [
    ...(metadata.scan === 'interlaced' ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
    `fps=${rate.frames}/${rate.per}`,
    ...(hold > 0 ? [`tpad=stop_mode=clone:stop_duration=${(hold + 1 / rateValue(rate)).toFixed(3)}`] : []),
    // Counted in frames: two passes must see the same ones.
    `trim=end_frame=${Math.max(1, Math.round(seconds * rateValue(rate)))}`,
    // zscale converts no unknown colours.
    ...(isHigh ? metadata.unknownColours.map((one) => `setparams=${USUAL_COLOURS[one]}`) : []),
    ...(isHigh ? [TONE_MAP] : []),
    `${scaleTo(width, height)}:flags=bicubic:out_range=tv${matrix}`,
    'setsar=1',
    'format=yuv420p|nv12',
  ].join(',');
};

const BT709 = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709'];

const coloursOf = (metadata: VideoMetadata, { canToneMap }: FfmpegCapabilities): readonly string[] => [
  ...['-color_range', 'tv'],
  ...(RGB.test(metadata.pixelFormat) || (metadata.dynamicRange === 'high' && canToneMap) ? BT709 : []),
];

const bufferOf = ({ buffer }: VideoEncoderParams): readonly string[] =>
  buffer === null ? [] : ['-maxrate', String(buffer.maxBits), '-bufsize', String(buffer.bufferBits)];

const videoOf = (params: VideoEncoderParams, encoder: Encoder, bits: number): readonly string[] => {
  const common = ['-c:v', encoder.name, '-g', String(params.keyFrames), ...bufferOf(params)];
  switch (encoder.kind) {
    case 'x264':
      return [
        ...common,
        ...['-preset', params.preset, '-profile:v', 'high'],
        ...(params.passes === 2 ? ['-b:v', String(params.averageBits)] : ['-crf', String(params.crf)]),
      ];
    case 'bitrate':
      return [...common, '-b:v', String(Math.floor(Math.min(bits, params.averageBits * 0.9)))];
  }
};

export interface EncodeJob {
  readonly source: string;
  readonly metadata: VideoMetadata;
  readonly params: VideoEncoderParams;
  readonly sound: SoundPlan;
  readonly encoder: Encoder;
  readonly tools: FfmpegCapabilities;
  /** Estimated bits per second of the video, for an encoder without a quality mode. */
  readonly bits: number;
}

/** Margin for audio to end with a video that is cut short. */
const CUT_SECONDS = 0.05;

/** By its pictures, or by a sound that outlasts them; one that is dropped cuts nothing. */
const isCutShort = (metadata: VideoMetadata, params: VideoEncoderParams): boolean =>
  metadata.seconds > params.seconds ||
  (params.wholeSeconds > params.seconds && metadata.wholeSeconds > params.wholeSeconds);

const encodeInput = ({ source, metadata, params, tools }: EncodeJob): readonly string[] => [
  ...QUIET,
  ...inputOf(source),
  ...(isCutShort(metadata, params) ? ['-t', (params.wholeSeconds + CUT_SECONDS).toFixed(3)] : []),
  ...['-vf', filtersOf(metadata, params, tools), ...tools.everyFrame, ...coloursOf(metadata, tools)],
];

/** The first of two passes: analyses the video and writes only its log. */
export const firstPass = (job: EncodeJob, log: string): readonly string[] => [
  ...encodeInput(job),
  ...[...PICTURE_ONLY, '-an'],
  ...videoOf(job.params, job.encoder, job.bits),
  ...['-pass', '1', '-passlogfile', log, '-f', 'null', '-'],
];

/** The only pass, or the second one where `log` is the output of the first. */
export const encodeArguments = (job: EncodeJob, target: string, log: string | null): readonly string[] => [
  ...encodeInput(job),
  ...mapOf(job.sound),
  ...NO_TAGS,
  ...videoOf(job.params, job.encoder, job.bits),
  ...(log === null ? [] : ['-pass', '2', '-passlogfile', log]),
  ...soundOf(job.sound),
  ...outputOf('mp4', target),
];

/** Encodes a few seconds without bitrate limits to measure the needed bits. */
export const sampleArguments = (
  job: EncodeJob,
  { start, seconds }: { readonly start: number; readonly seconds: number },
  target: string,
): readonly string[] => [
  ...QUIET,
  ...['-ss', start.toFixed(3), ...inputOf(job.source)],
  ...['-vf', filtersOf(job.metadata, { ...job.params, seconds, hold: 0 }, job.tools)],
  ...[...job.tools.everyFrame, ...coloursOf(job.metadata, job.tools)],
  ...[...PICTURE_ONLY, '-an'],
  ...videoOf({ ...job.params, passes: 1, buffer: null }, job.encoder, job.bits),
  ...['-f', 'h264', target],
];
