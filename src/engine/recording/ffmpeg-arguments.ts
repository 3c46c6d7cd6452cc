/**
 * Builds the ffmpeg command lines that record a segment, and those that re-encode frames of a recording without its
 * audio. Pure.
 */
import type { Encoder } from '../video/ffmpeg-capabilities.ts';
import { type Bubble, bubbleInput, overlayFilter } from './camera/bubble.ts';
import { type PictureInput, type SoundDevice, soundInput } from './input-arguments.ts';
import type { EncoderParams } from './recording-plan.ts';

export interface Encoding {
  readonly params: EncoderParams;
  readonly encoder: Pick<Encoder, 'name' | 'kind'>;
}

export interface SegmentJob extends Encoding {
  readonly picture: PictureInput;
  readonly sounds: readonly SoundDevice[];
  /** The bubble of the camera; null: none. */
  readonly bubble: Bubble | null;
  /** It ends by itself after this long. */
  readonly milliseconds: number;
  /** Arguments that make ffmpeg encode every frame of the filters. */
  readonly everyFrame: readonly string[];
}

/** Keeps stderr to warnings, without progress lines. */
const QUIET = ['-hide_banner', '-nostats', '-loglevel', 'warning'];
/** Removes all tags, which name programs and places. */
const NO_TAGS = ['-map_metadata', '-1', '-metadata:s:v', 'handler_name=', '-metadata:s:a', 'handler_name='];

const COLOURS = [
  ...['-color_range', 'tv', '-color_primaries', 'bt709'],
  ...['-color_trc', 'bt709', '-colorspace', 'bt709'],
];

/** Length of a fragment, each complete in itself: a crash loses the last one and the encoder's buffer. */
const FRAGMENT_MICROSECONDS = 500_000;
const FRAGMENTS = [
  ...['-movflags', '+empty_moov+default_base_moof', '-frag_duration', String(FRAGMENT_MICROSECONDS)],
  // Audio has a moment of silence before its start, which must not shift the video.
  ...['-avoid_negative_ts', 'disabled', '-flush_packets', '1', '-f', 'mp4', 'pipe:1'],
];

/** No B-frames, so that packets are in display order and a copy can start and end at any frame. */
const videoArguments = ({ params, encoder }: Encoding): readonly string[] => {
  const { crf, preset, maxBits, bufferBits, keyFrames } = params;
  const common = ['-c:v', encoder.name, '-bf', '0', '-g', String(keyFrames), ...COLOURS];
  const bounds = ['-maxrate', String(maxBits), '-bufsize', String(bufferBits)];
  return encoder.kind === 'x264'
    ? [...common, '-preset', preset, '-profile:v', 'high', '-sc_threshold', '0', '-crf', String(crf), ...bounds]
    : [...common, '-b:v', String(Math.floor(maxBits * 0.9)), ...bounds];
};

/**
 * Frames carry wall clock timestamps, which jump over a suspend or a clock change. Limits a jump to five seconds. Not
 * used with audio, because it would break the sync.
 */
const CLIP_JUMPS = "setpts='if(eq(N,0),PTS,PREV_OUTPTS+clip(PTS-PREV_INPTS,0,5/TB))'";

const clipJumps = ({ sounds }: SegmentJob): readonly string[] => (sounds.length === 0 ? [CLIP_JUMPS] : []);

/** From the screen to frames of the size of the video. */
const screenFilters = (job: SegmentJob): readonly string[] => [
  ...job.picture.filters,
  ...clipJumps(job),
  `scale=${job.params.width}:${job.params.height}:flags=bicubic:out_color_matrix=bt709:out_range=tv`,
  'setsar=1',
];

const outputFilters = ({ params }: SegmentJob): readonly string[] => [`fps=${params.fps}`, 'format=yuv420p'];

/** Fills gaps of a late device and keeps audio in sync with the video. */
const RESAMPLE = 'aresample=48000:async=1000:first_pts=0';

/** Input of the screen: the last one. */
const screenIndex = ({ sounds, bubble }: SegmentJob): number => sounds.length + (bubble ? 1 : 0);

/** The camera is behind the sounds. */
const bubbleFilters = (job: SegmentJob, bubble: Bubble): readonly string[] => [
  `[${screenIndex(job)}:v]${screenFilters(job).join(',')}[screen]`,
  `[${job.sounds.length}:v]${[...clipJumps(job), 'format=yuva420p'].join(',')}[camera]`,
  `[screen][camera]${[overlayFilter(bubble), ...outputFilters(job)].join(',')}[picture]`,
];

const soundFilters = (count: number): readonly string[] => {
  const inputs = Array.from({ length: count }, (_, index) => `[${index}:a]${RESAMPLE}[s${index}]`);
  if (count === 0) return [];
  if (count === 1) return [`[0:a]${RESAMPLE}[sound]`];
  const all = inputs.map((_, index) => `[s${index}]`).join('');
  return [...inputs, `${all}amix=inputs=${count}:duration=longest:normalize=0[sound]`];
};

const filterArguments = (job: SegmentJob): readonly string[] => {
  const { bubble, everyFrame } = job;
  const graph = [...(bubble ? bubbleFilters(job, bubble) : []), ...soundFilters(job.sounds.length)];
  const filters = [...screenFilters(job), ...outputFilters(job)].join(',');
  return [
    ...[...(bubble ? [] : ['-vf', filters]), ...everyFrame],
    ...(graph.length === 0 ? [] : ['-filter_complex', graph.join(';')]),
    ...['-map', bubble ? '[picture]' : `${screenIndex(job)}:v`],
  ];
};

const soundArguments = ({ sounds, params }: SegmentJob): readonly string[] =>
  sounds.length === 0
    ? ['-an']
    : ['-map', '[sound]', '-c:a', 'aac', '-b:a', String(params.audioBits), '-ac', '2', '-ar', '48000'];

/**
 * Audio inputs come first: they start slowly, and audio before the first frame is cut off. `-isync` aligns their clock
 * and the camera's with the screen's; all use wall clock time. Before 5.1 the option did not exist.
 */
const inputsOf = (job: SegmentJob): readonly string[] => {
  const { sounds, picture, bubble, params, everyFrame } = job;
  const synced = everyFrame.includes('-vsync') ? [] : ['-isync', String(screenIndex(job))];
  return [
    ...sounds.flatMap((device) => [...synced, ...soundInput(device)]),
    ...(bubble ? [...synced, ...bubbleInput(bubble, params.fps)] : []),
    ...picture.input,
  ];
};

/** Records until stopped, as a fragmented MP4 to stdout. */
export const segmentArguments = (job: SegmentJob): readonly string[] => [
  ...QUIET,
  ...inputsOf(job),
  ...filterArguments(job),
  ...soundArguments(job),
  ...videoArguments(job),
  ...NO_TAGS,
  ...['-t', (job.milliseconds / 1_000).toFixed(3)],
  ...FRAGMENTS,
];

/** Re-encodes frames of a recording so that they start with a key frame. */
export const partArguments = (
  source: string,
  { start, frames }: { readonly start: number; readonly frames: number },
  encoding: Encoding,
  everyFrame: readonly string[],
  target: string,
): readonly string[] => [
  ...['-loglevel', 'warning', '-ss', start.toFixed(6), '-i', `file:${source}`],
  ...['-map', '0:v', '-an', '-frames:v', String(frames)],
  ...[...everyFrame, ...videoArguments(encoding), ...NO_TAGS],
  ...['-f', 'mp4', target],
];
