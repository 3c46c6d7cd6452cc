/**
 * Fits a video by the plans of `encoding-plan.ts`: measures where useful, converts, verifies the result as the service
 * will, and tries another plan where one fails. The source is only read; the result and temporary files are in the work
 * folder.
 */
import { join } from 'node:path';
import { err, type Failure, failure, ok, type Result } from '../../api/errors.ts';
import { freeBytes } from '../../base/node/free-bytes.ts';
import { rm } from '../../base/node/retrying-fs.ts';
import type { VideoProbe } from '../../common/video/probe.ts';
import { validateVideo } from '../../common/video/validate-video.ts';
import type { FitChoice } from '../../ipc/protocol/queue-item.ts';
import type { Clock } from '../ports.ts';
import { type SampleDeps, sampleVideo } from './encode-sample.ts';
import { type FitLimits, guessedNeed, type VideoEncoderParams } from './encoder-params.ts';
import { type Plan, planVideo } from './encoding-plan.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { copyArguments, type EncodeJob, encodeArguments, firstPass } from './ffmpeg-arguments.ts';
import type { Encoder, FfmpegCapabilities } from './ffmpeg-capabilities.ts';
import { rateValue } from './frame-rate.ts';
import { viewAsService } from './probe-video.ts';
import type { VideoMetadata } from './video-metadata.ts';

type FitPlan = Extract<Plan, { way: 'remux' | 'audio' | 'encode' }>;
type EncodePlan = Extract<Plan, { way: 'encode' }>;

export interface FitRequest {
  readonly source: string;
  readonly metadata: VideoMetadata;
  readonly limits: FitLimits;
  readonly choice: FitChoice;
}

export interface Fitted {
  /** In the work folder. */
  readonly path: string;
  readonly size: number;
  readonly probe: VideoProbe;
  readonly plan: FitPlan;
  /** Number of encodes; more than one where the first exceeded the limits. */
  readonly encodes: number;
}

export interface FitDeps {
  readonly ffmpeg: Ffmpeg;
  readonly tools: FfmpegCapabilities;
  readonly clock: Clock;
  /** Exclusive to this fit, initially empty. */
  readonly folder: string;
  /** Number of pixels above which hardware is used; by default about a minute of software encoding. */
  readonly hardwarePixels?: number;
}

type Report = (share: number) => void;

/** Minimum length for sampling; in shorter videos a few samples predict too little. */
const SAMPLED_SECONDS = 60;
const SECONDS_PER_SAMPLE = 30;
const SAMPLES_MAX = 4;
/** Upper bound, for content whose bits barely fall with a higher CRF. */
const CRF_PER_HALF_MAX = 16;
/** A second encode aims lower, because the first one exceeded the limits. */
const TIGHTER = 0.85;
const FIRST_PASS_SHARE = 0.4;
/** Hardware encoding costs quality, so it is used only for long encodes. */
const HARDWARE_PIXELS = 60 * 60e6;
/** Factor on the estimated size, and space reserved for the system. */
const DISK_FACTOR = 1.5;
const DISK_SPARE_BYTES = 64 * 1024 ** 2;
/** A result this much shorter than planned is incomplete. */
const SHORT_SECONDS = 1;
const SHORT_SHARE = 0.03;

const tighter = ({ video, maxBytes }: FitLimits): FitLimits => ({
  maxBytes: Math.floor(maxBytes * TIGHTER),
  video: {
    ...video,
    bitrate: {
      ...video.bitrate,
      bitsPerPixel: video.bitrate.bitsPerPixel * TIGHTER,
      min: Math.floor(video.bitrate.min * TIGHTER),
      max: Math.floor(video.bitrate.max * TIGHTER),
    },
  },
});

/** Reads the result as the service will. Errors: VIDEO_FIT_FAILED, which lists its problems. */
const verifyVideo = async (
  path: string,
  limits: FitLimits,
  plannedSeconds: number,
): Promise<Result<{ size: number; probe: VideoProbe }>> => {
  const view = await viewAsService(path);
  // A failure about the source would send the user to the wrong file.
  if (!view.ok) return err(failure('VIDEO_FIT_FAILED', `The converted video cannot be read (${view.error.code}).`));
  const { probe, size } = view.value;
  if (probe === null) return err(failure('VIDEO_FIT_FAILED', 'No frame of the converted video could be decoded.'));
  const problems = validateVideo(probe, limits.video).map(({ message }) => message);
  if (size > limits.maxBytes) problems.push(`The file has ${size} bytes; at most ${limits.maxBytes}.`);
  const missing = plannedSeconds - probe.seconds;
  if (missing > Math.max(SHORT_SECONDS, plannedSeconds * SHORT_SHARE))
    problems.push(`${missing.toFixed(1)} seconds of it are missing.`);
  if (problems.length > 0) return err(failure('VIDEO_FIT_FAILED', problems.join(' ')));
  return ok({ size, probe });
};

const isSameSize = (a: VideoEncoderParams, b: VideoEncoderParams): boolean =>
  a.width === b.width && a.height === b.height;

/** Whether a retry may help: not for a full disk or a cancellation. */
const mayHelp = ({ code }: Failure): boolean => code !== 'CANCELLED' && code !== 'DISK_FULL';

export const jobOf = (
  request: FitRequest,
  plan: EncodePlan,
  encoder: Encoder,
  tools: FfmpegCapabilities,
): EncodeJob => ({
  ...{ source: request.source, metadata: request.metadata, params: plan.params, sound: plan.sound, encoder, tools },
  bits: 1.3 * guessedNeed(plan.params, rateValue(plan.params.rate), plan.params.crf),
});

/** Errors: DISK_FULL where the estimated size does not fit. */
export const checkDisk = async (folder: string, bytes: number): Promise<Result<void>> => {
  const free = await freeBytes(folder);
  const needed = Math.ceil(bytes * DISK_FACTOR) + DISK_SPARE_BYTES;
  if (free >= needed) return ok(undefined);
  const detail = 'There is not enough disk space for the smaller video. Free some space, then try again.';
  return err(failure('DISK_FULL', detail, { params: { neededBytes: needed, freeBytes: free } }));
};

/**
 * Errors: DISK_FULL, CANCELLED, VIDEO_TOOL_MISSING, VIDEO_UNREADABLE, VIDEO_FIT_FAILED, and the failure of a plan that
 * refuses.
 */
export const fitVideo = async (
  request: FitRequest,
  { ffmpeg, tools, clock, folder, hardwarePixels = HARDWARE_PIXELS }: FitDeps,
  onProgress: Report,
  signal: AbortSignal,
): Promise<Result<Fitted>> => {
  let encodes = 0;
  const target = (container: 'mp4' | 'webm') => join(folder, `result.${container}`);

  const run = (args: readonly string[], seconds: number, report: Report) =>
    ffmpeg.run(args, { onProgress: (now) => report(Math.min(1, now.seconds / seconds)) }, signal);

  const encode = async (plan: EncodePlan, encoder: Encoder): Promise<Result<string>> => {
    encodes += 1;
    const job = jobOf(request, plan, encoder, tools);
    const { seconds, wholeSeconds } = plan.params;
    const path = target('mp4');
    if (plan.params.passes === 1 || encoder.kind !== 'x264')
      return run(encodeArguments(job, path, null), wholeSeconds, onProgress);
    const log = join(folder, 'passes');
    const first = await run(firstPass(job, log), seconds, (share) => onProgress(share * FIRST_PASS_SHARE));
    if (!first.ok) return first;
    const rest = (share: number) => onProgress(FIRST_PASS_SHARE + share * (1 - FIRST_PASS_SHARE));
    return run(encodeArguments(job, path, log), wholeSeconds, rest);
  };

  /** Runs a plan once and verifies the result. */
  const attempt = async (plan: FitPlan, encoder: Encoder | null): Promise<Result<Fitted>> => {
    // An earlier attempt may have failed with either container.
    for (const container of ['mp4', 'webm'] as const) await rm(target(container), { force: true });
    const space = await checkDisk(folder, plan.after.size);
    if (!space.ok) return space;
    const path = target(plan.container);
    let ran: Result<string>;
    if (plan.way !== 'encode')
      ran = await run(copyArguments(request.source, plan, path), plan.after.seconds, onProgress);
    else if (encoder !== null) ran = await encode(plan, encoder);
    else return err(failure('VIDEO_TOOL_MISSING', 'This ffmpeg cannot encode H.264. Install one with libx264.'));
    if (!ran.ok) return ran;
    // How much of a damaged source can be decoded is unknown.
    const expected = request.metadata.isCut ? 0 : plan.after.seconds;
    const verified = await verifyVideo(path, request.limits, expected);
    return verified.ok ? ok({ path, plan, encodes, ...verified.value }) : verified;
  };

  const planned = (
    limits: FitLimits,
    ways: 'any' | 'encode',
    need: number | null,
    crfPerHalf?: number,
  ): Result<FitPlan> => {
    const plan = planVideo({ ...request, limits, ways, need, ...(crfPerHalf !== undefined && { crfPerHalf }) });
    if (plan.way === 'refuse') return err(plan.failure);
    if (plan.way === 'pass') throw new Error('A suitable video needs no fit.');
    return ok(plan);
  };

  /** Measures first where the byte limit restricts the video, to choose passes and size. */
  const measured = async (plan: FitPlan): Promise<Result<FitPlan>> => {
    const { software } = tools;
    if (plan.way !== 'encode' || !plan.bytesBind || plan.params.seconds < SAMPLED_SECONDS || software?.kind !== 'x264')
      return ok(plan);
    const withoutByteLimit = planVideo({
      ...request,
      limits: { ...request.limits, maxBytes: Number.MAX_SAFE_INTEGER },
      ways: 'encode',
      need: null,
    });
    if (withoutByteLimit.way !== 'encode') return ok(plan);
    const deps: SampleDeps = { ffmpeg, clock, folder };
    const count = Math.min(SAMPLES_MAX, Math.floor(plan.params.seconds / SECONDS_PER_SAMPLE));
    const measure = (of: EncodePlan) => sampleVideo(jobOf(request, of, software, tools), count, deps, signal);
    const full = await measure(withoutByteLimit);
    if (!full.ok) return full;
    const { need } = full.value;
    const predicted = planVideo({ ...request, ways: 'encode', need });
    const rise = predicted.way === 'encode' ? predicted.params.crf - withoutByteLimit.params.crf : 0;
    if (
      need === null ||
      predicted.way !== 'encode' ||
      rise <= 0 ||
      !isSameSize(predicted.params, withoutByteLimit.params)
    )
      return planned(request.limits, 'any', need);
    // Screen content loses bits more slowly than camera content at lower quality: a second measurement finds the rate.
    const remeasured = await measure(predicted);
    if (!remeasured.ok) return remeasured;
    const halves = Math.log2(need / (remeasured.value.need ?? need));
    return planned(request.limits, 'any', need, halves > 0 ? Math.min(CRF_PER_HALF_MAX, rise / halves) : undefined);
  };

  const usualEncoder = async (): Promise<Encoder | null> => tools.software ?? (await tools.hardware(folder, signal));

  const encoderFor = async (plan: FitPlan): Promise<Encoder | null> => {
    if (plan.way !== 'encode') return null;
    const { width, height, rate, seconds, passes } = plan.params;
    const pixels = width * height * rateValue(rate) * seconds;
    const isForHardware = passes === 1 && request.choice !== 'sharper' && pixels > hardwarePixels;
    return (isForHardware ? await tools.hardware(folder, signal) : null) ?? usualEncoder();
  };

  const first = planned(request.limits, 'any', null);
  if (!first.ok) return first;
  const plan = await measured(first.value);
  if (!plan.ok) return plan;
  const fitted = await attempt(plan.value, await encoderFor(plan.value));
  if (fitted.ok || !mayHelp(fitted.error)) return fitted;

  // A failed copy is encoded; an encode that exceeded the limits or failed in hardware is repeated with tighter
  // settings.
  const isCopy = plan.value.way !== 'encode';
  if (!isCopy && fitted.error.code === 'VIDEO_UNREADABLE') return fitted;
  const retryPlan = planned(isCopy ? request.limits : tighter(request.limits), 'encode', null);
  if (!retryPlan.ok) return err(fitted.error);
  const second = await attempt(retryPlan.value, await usualEncoder());
  if (second.ok || !isCopy || !mayHelp(second.error)) return second;
  const last = planned(tighter(request.limits), 'encode', null);
  return last.ok ? attempt(last.value, await usualEncoder()) : second;
};
