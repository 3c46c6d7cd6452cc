/**
 * Makes an animated image from a part of a video with ffmpeg: a GIF with a palette of its own, or a WebP. Also predicts
 * its size from samples.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { type AnimationOptions, animationFrames, type MadeAnimation } from '../../ipc/protocol/animation.ts';
import type { OpenSourceAt } from '../upload/upload-source.ts';
import { type Ffmpeg, withReadErrors } from '../video/ffmpeg.ts';
import { probeVideo, viewAsService } from '../video/probe-video.ts';
import { withLossCheck } from '../video/with-loss-check.ts';
import {
  type AnimationPlan,
  gifArguments,
  type Piece,
  paletteArguments,
  planAnimation,
  samplePieces,
  webpArguments,
} from './animation-arguments.ts';

export interface AnimationRequest {
  readonly path: string;
  readonly openSource: OpenSourceAt;
  readonly options: AnimationOptions;
  /** For temporary files. */
  readonly folder: string;
  /** From 0 to 1. */
  readonly onProgress?: (part: number) => void;
}

const NO_WEBP = 'This ffmpeg cannot write animated WebP images. Choose GIF, or install an ffmpeg with libwebp.';

/** Errors: SOURCE_*, VIDEO_UNREADABLE, COMMAND_INVALID, CANCELLED. */
const planOf = async (
  { path, openSource, options }: AnimationRequest,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<Result<AnimationPlan>> => {
  const view = await viewAsService(path, openSource);
  if (!view.ok) return view;
  const video = await probeVideo(path, view.value, ffmpeg, signal);
  return video.ok ? planAnimation(video.value, options) : video;
};

/** Frames of the file. Errors: those of a run. */
const encode = async (
  { path, options, folder, onProgress }: AnimationRequest,
  { piece, plan, target }: { readonly piece: Piece; readonly plan: AnimationPlan; readonly target: string },
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<Result<number>> => {
  let frames = 0;
  const expected = animationFrames(piece.seconds * 1_000, options.fps);
  /** A GIF is read twice, and the first time tells no frames. */
  const follow = (from: number) => ({
    onProgress: (now: { readonly frames: number }) => {
      frames = now.frames;
      onProgress?.(Math.min(1, from + (1 - from) * (now.frames / expected)));
    },
  });
  if (options.format === 'webp') {
    const run = await ffmpeg.run(webpArguments(path, piece, plan, options, target), follow(0), signal);
    if (!run.ok && /Unknown encoder|Encoder not found/i.test(run.error.detail))
      return err(failure('VIDEO_FIT_FAILED', NO_WEBP));
    return run.ok ? ok(frames) : run;
  }
  const palette = join(folder, 'palette.png');
  const colors = await ffmpeg.run(paletteArguments(path, piece, plan, options.fps, palette), {}, signal);
  if (!colors.ok) return colors;
  const run = await ffmpeg.run(gifArguments(path, piece, plan, options, { palette, target }), follow(0.3), signal);
  return run.ok ? ok(frames) : run;
};

const makeOnce = async (
  request: AnimationRequest,
  target: string,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<Result<MadeAnimation>> => {
  const plan = await planOf(request, ffmpeg, signal);
  if (!plan.ok) return plan;
  const made = await encode(request, { piece: plan.value, plan: plan.value, target }, ffmpeg, signal);
  if (!made.ok) return made;
  const { width, height } = plan.value;
  const { size: bytes } = await stat(target);
  return ok({ format: request.options.format, width, height, frames: Math.max(1, made.value), bytes });
};

/**
 * The image at `target`. Errors: SOURCE_*, VIDEO_UNREADABLE, VIDEO_FIT_FAILED, COMMAND_INVALID, DISK_FULL, CANCELLED.
 */
export const makeAnimation = (
  request: AnimationRequest,
  target: string,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<Result<MadeAnimation>> =>
  withLossCheck(request, (onReadError) => makeOnce(request, target, withReadErrors(ffmpeg, onReadError), signal));

const predictOnce = async (
  request: AnimationRequest,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<Result<MadeAnimation>> => {
  const plan = await planOf(request, ffmpeg, signal);
  if (!plan.ok) return plan;
  const { width, height, frames } = plan.value;
  const { format } = request.options;
  const target = join(request.folder, `sample.${format}`);
  let [bytes, seconds] = [0, 0];
  for (const piece of samplePieces(plan.value)) {
    const made = await encode(request, { piece, plan: plan.value, target }, ffmpeg, signal);
    if (!made.ok) return made;
    bytes += (await stat(target)).size;
    seconds += piece.seconds;
  }
  return ok({ format, width, height, frames, bytes: Math.max(1, Math.round((bytes * plan.value.seconds) / seconds)) });
};

/** What it would become. Errors: those of `makeAnimation`. */
export const predictAnimation = (
  request: AnimationRequest,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<Result<MadeAnimation>> =>
  withLossCheck(request, (onReadError) => predictOnce(request, withReadErrors(ffmpeg, onReadError), signal));
