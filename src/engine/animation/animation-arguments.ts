/** Plans an animated image and builds the arguments with which ffmpeg makes it; pure. */
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { ANIMATION_FRAMES_MAX, type AnimationOptions, animationFrames } from '../../ipc/protocol/animation.ts';
import { inputOf } from '../video/ffmpeg.ts';
import { shownSize, type VideoMetadata } from '../video/video-metadata.ts';

/** Seconds of the video, pixels and frames of the image. */
export interface AnimationPlan {
  readonly start: number;
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/** A part of a video, in seconds. */
export interface Piece {
  readonly start: number;
  readonly seconds: number;
}

const invalid = (detail: string): Result<never> => err(failure('COMMAND_INVALID', detail));

/** Errors: COMMAND_INVALID with what to choose instead. */
export const planAnimation = (
  video: Pick<VideoMetadata, 'width' | 'height' | 'pixelAspect' | 'rotation' | 'seconds'>,
  { fps, width: wanted, startMs, endMs }: AnimationOptions,
): Result<AnimationPlan> => {
  const start = startMs / 1_000;
  if (start >= video.seconds)
    return invalid(`The video lasts ${video.seconds.toFixed(1)} s. Choose a start before its end.`);
  const seconds = Math.min(video.seconds, (endMs ?? Number.POSITIVE_INFINITY) / 1_000) - start;
  if (seconds <= 0) return invalid('The end is not after the start. Choose a later end.');
  const frames = animationFrames(seconds * 1_000, fps);
  if (frames > ANIMATION_FRAMES_MAX)
    return invalid(
      `An animated image has at most ${ANIMATION_FRAMES_MAX} frames, and this one would have ${frames}. Choose a shorter part or fewer frames per second, or share it as a video.`,
    );
  const shown = shownSize(video);
  const width = Math.max(1, Math.round(Math.min(wanted ?? shown.width, shown.width)));
  const height = Math.max(1, Math.round((width * shown.height) / shown.width));
  return ok({ start, seconds, width, height, frames });
};

const SAMPLE_SECONDS = 1;
const SAMPLES = 3;

/** Parts that stand for the whole: from its beginning, its middle and its end; the whole where it is short. */
export const samplePieces = ({ start, seconds }: Piece): readonly Piece[] =>
  seconds <= SAMPLES * SAMPLE_SECONDS
    ? [{ start, seconds }]
    : Array.from({ length: SAMPLES }, (_, index) => ({
        start: start + ((seconds - SAMPLE_SECONDS) * index) / (SAMPLES - 1),
        seconds: SAMPLE_SECONDS,
      }));

const pieceOf = (path: string, { start, seconds }: Piece): readonly string[] => [
  ...['-loglevel', 'error', '-ss', start.toFixed(3), '-t', seconds.toFixed(3)],
  ...inputOf(path),
];
const framesOf = ({ width, height }: AnimationPlan, fps: number): string =>
  `fps=${fps},scale=${width}:${height}:flags=lanczos`;

const GIF_COLORS = 256;

/** The colours of a GIF. One run of its own: frames wait for no palette in memory. */
export const paletteArguments = (
  path: string,
  piece: Piece,
  plan: AnimationPlan,
  fps: number,
  palette: string,
): readonly string[] => [
  ...pieceOf(path, piece),
  ...['-map', '0:v:0', '-vf', `${framesOf(plan, fps)},palettegen=max_colors=${GIF_COLORS}:stats_mode=full`],
  ...['-frames:v', '1', '-f', 'image2', '-update', '1', '-c:v', 'png', palette],
];

export const gifArguments = (
  path: string,
  piece: Piece,
  plan: AnimationPlan,
  { fps, plays }: Pick<AnimationOptions, 'fps' | 'plays'>,
  { palette, target }: { readonly palette: string; readonly target: string },
): readonly string[] => [
  ...pieceOf(path, piece),
  ...['-i', `file:${palette}`],
  // A GIF counts repetitions after the first time: -1 is none.
  ...['-lavfi', `[0:v:0]${framesOf(plan, fps)}[v];[v][1:v]paletteuse=dither=sierra2_4a:diff_mode=rectangle`],
  ...['-loop', String(plays === 0 ? 0 : plays === 1 ? -1 : plays - 1), '-f', 'gif', target],
];

/** Of the encoder, from 0 to 100. */
const WEBP_QUALITY = 80;

export const webpArguments = (
  path: string,
  piece: Piece,
  plan: AnimationPlan,
  { fps, plays }: Pick<AnimationOptions, 'fps' | 'plays'>,
  target: string,
): readonly string[] => [
  ...pieceOf(path, piece),
  ...['-map', '0:v:0', '-vf', framesOf(plan, fps), '-c:v', 'libwebp_anim', '-pix_fmt', 'yuv420p'],
  ...['-quality', String(WEBP_QUALITY), '-compression_level', '4', '-loop', String(plays), '-f', 'webp', target],
];
