/**
 * Plans how a video is converted to meet the account's limits, to remove a location, HDR or a damaged end, or as the
 * user chose: send it unchanged, remux it, encode only its audio, encode all of it, or refuse it with an explanation.
 * Every planned result is within the limits. Pure.
 */

import { bitrateCeiling, type VideoFormat } from '../../api/account.ts';
import { type Failure, failure } from '../../api/errors.ts';
import { describeVideoLimits, validateVideo } from '../../common/video/validate-video.ts';
import type { FitChoice } from '../../ipc/protocol/queue-item.ts';
import type { FitLoss, FitReason, VideoSummary } from '../../ipc/protocol/video-conversion.ts';
import { type FitLimits, guessedNeed, planEncoderParams, STYLES, type VideoEncoderParams } from './encoder-params.ts';
import { rateValue } from './frame-rate.ts';
import { type Sound, shownSize, type VideoMetadata } from './video-metadata.ts';

/** How audio gets into the result. */
export type SoundPlan =
  | { readonly way: 'none' }
  | { readonly way: 'copy'; readonly index: number }
  | { readonly way: 'encode'; readonly index: number; readonly codec: 'aac' | 'opus'; readonly bits: number };

interface Why {
  readonly reasons: readonly FitReason[];
  readonly losses: readonly FitLoss[];
  readonly after: VideoSummary;
}

export type Plan =
  | { readonly way: 'pass' }
  | ({ readonly way: 'remux' | 'audio'; readonly container: 'mp4' | 'webm'; readonly sound: SoundPlan } & Why)
  | ({
      readonly way: 'encode';
      readonly container: 'mp4';
      readonly params: VideoEncoderParams;
      readonly sound: SoundPlan;
      /** The byte limit restricts the video, so that measuring it first is worth the time. */
      readonly bytesBind: boolean;
    } & Why)
  | { readonly way: 'refuse'; readonly failure: Failure };

export interface PlanRequest {
  readonly metadata: VideoMetadata;
  readonly limits: FitLimits;
  readonly choice: FitChoice;
  /** Measured bits per second of the video (`encoder-params.ts`). */
  readonly need: number | null;
  /** The CRF increase that halves the bits, where that was measured too. */
  readonly crfPerHalf?: number;
  /** `encode`: copying was tried and failed. */
  readonly ways: 'any' | 'encode';
}

const COPY_AUDIO_BITS = 128_000;
/** Margin of a copy, which is smaller because its bits are known. */
const COPY_MARGIN = 0.99;

export const summaryOf = (metadata: VideoMetadata): VideoSummary => {
  const { width, height } = shownSize(metadata);
  return {
    size: metadata.size,
    width: Math.max(1, Math.round(width)),
    height: Math.max(1, Math.round(height)),
    fps: Math.round(metadata.fps * 100) / 100,
    seconds: metadata.wholeSeconds,
    hasAudio: metadata.sounds.length > 0,
  };
};

const reasonsOf = ({ metadata, limits, choice }: PlanRequest): readonly FitReason[] => {
  const reasons: FitReason[] = metadata.service
    ? validateVideo(metadata.service, limits.video).map(({ code }) => code)
    : [];
  if (metadata.isCut) reasons.push('DAMAGED');
  else if (metadata.service === null) reasons.push(metadata.container === 'other' ? 'CONTAINER' : 'UNREADABLE');
  if (metadata.size > limits.maxBytes) reasons.push('SIZE');
  if (metadata.hasLocation) reasons.push('PLACE');
  if (metadata.dynamicRange === 'high') reasons.push('DYNAMIC_RANGE');
  if (choice === 'smaller' || choice === 'clip') reasons.push('CHOICE');
  return reasons;
};

const soundFor = (sound: Sound | undefined, format: VideoFormat, bits: number): SoundPlan => {
  if (sound === undefined) return { way: 'none' };
  if (format.audioCodecs.includes(sound.codec)) return { way: 'copy', index: sound.index };
  const codec = format.container === 'mp4' ? 'aac' : 'opus';
  return format.audioCodecs.includes(codec) && bits > 0
    ? { way: 'encode', index: sound.index, codec, bits }
    : { way: 'none' };
};

/** Without the sound where no result can have it. */
const durationOf = ({ metadata, limits: { video } }: PlanRequest): number => {
  const [first] = metadata.sounds;
  const isDropped =
    video.maxAudioStreams === 0 ||
    video.formats.every((format) => soundFor(first, format, COPY_AUDIO_BITS).way === 'none');
  return first && isDropped ? metadata.seconds : Math.max(metadata.wholeSeconds, metadata.service?.seconds ?? 0);
};

const lossesOf = ({ metadata }: PlanRequest, sound: SoundPlan, seconds: number): readonly FitLoss[] => [
  ...(metadata.sounds.length > 0 && sound.way === 'none' ? (['sound'] as const) : []),
  ...(metadata.sounds.length > 1 && sound.way !== 'none' ? (['sound-tracks'] as const) : []),
  ...(metadata.extras > 0 ? (['extras'] as const) : []),
  ...(metadata.dynamicRange === 'high' ? (['dynamic-range'] as const) : []),
  ...(metadata.isCut ? (['end'] as const) : []),
  ...(metadata.seconds - seconds > 0.5 ? (['rest'] as const) : []),
];

/** Copies streams that already fit. */
const planCopy = (request: PlanRequest, reasons: readonly FitReason[]): Plan | null => {
  const { metadata, limits, choice, ways } = request;
  if (ways === 'encode' || choice === 'smaller' || choice === 'clip') return null;
  if (metadata.isCut || metadata.dynamicRange === 'high' || metadata.pixelAspect <= 0) return null;
  const { video } = limits;
  const format = video.formats.find(
    ({ videoCodecs, pixelFormats }) =>
      videoCodecs.includes(metadata.codec) && pixelFormats.includes(metadata.pixelFormat),
  );
  if (!format) return null;
  const [long, short] = [Math.max(metadata.width, metadata.height), Math.min(metadata.width, metadata.height)];
  if (long > video.maxLongSide || short > video.maxShortSide || metadata.fps > video.maxFps) return null;
  if (durationOf(request) > video.maxSeconds) return null;

  const sound = soundFor(video.maxAudioStreams > 0 ? metadata.sounds[0] : undefined, format, COPY_AUDIO_BITS);
  const seconds = sound.way === 'none' ? metadata.seconds : metadata.wholeSeconds;
  const pictureBits = metadata.pictureBitrate * metadata.seconds;
  // Copied audio may have any rate up to what is not video.
  const audioBits =
    sound.way === 'encode' ? sound.bits * 1.1 * seconds : sound.way === 'copy' ? metadata.size * 8 - pictureBits : 0;
  const container = 20 * 8 * (metadata.fps * metadata.seconds + 50 * seconds) + 4_000 * 8;
  const bits = (Math.max(0, audioBits) + pictureBits + container) / seconds;
  const ceiling = bitrateCeiling(video, metadata);
  const size = Math.round((bits * seconds) / 8);
  if (bits > ceiling * COPY_MARGIN || size > limits.maxBytes * COPY_MARGIN) return null;
  return {
    way: sound.way === 'encode' ? 'audio' : 'remux',
    container: format.container,
    sound,
    reasons,
    losses: lossesOf(request, sound, metadata.seconds),
    after: { ...summaryOf(metadata), size, seconds, hasAudio: sound.way !== 'none' },
  };
};

const refuseTooLong = (request: PlanRequest): Plan => {
  const { maxSeconds } = request.limits.video;
  const seconds = Math.round(durationOf(request));
  const message = `The video lasts ${seconds} seconds, and the limit is ${maxSeconds} seconds.`;
  return {
    way: 'refuse',
    failure: failure('VIDEO_NOT_SUITABLE', `${message} Trim it, or share its beginning as a clip.`, {
      params: { problems: [{ code: 'DURATION', actual: seconds, allowed: maxSeconds, message }] },
    }),
  };
};

const planEncode = (request: PlanRequest, reasons: readonly FitReason[]): Plan => {
  const { metadata, limits, choice, need, crfPerHalf } = request;
  const format = limits.video.formats.find(
    ({ container, videoCodecs, pixelFormats }) =>
      container === 'mp4' && videoCodecs.includes('h264') && pixelFormats.includes('yuv420p'),
  );
  if (!format) {
    const detail = `The service only accepts ${describeVideoLimits(limits.video)}, and Linkshot cannot convert this video to that.`;
    return { way: 'refuse', failure: failure('VIDEO_NOT_SUITABLE', detail, { params: { problems: [detail] } }) };
  }
  const found = planEncoderParams(metadata, limits, choice, need, crfPerHalf);
  if (!found) {
    const detail =
      'The video is too long for the size that the account allows. Trim it, or share its beginning as a clip.';
    return { way: 'refuse', failure: failure('VIDEO_TOO_LARGE', detail, { params: { limitBytes: limits.maxBytes } }) };
  }
  const { params, bytesBind, overhead } = found;
  const { width, height, seconds, wholeSeconds } = params;
  const fps = rateValue(params.rate);
  const isHeard = params.audioBits > 0 && format.audioCodecs.includes('aac');
  const [first] = metadata.sounds;
  const sound: SoundPlan =
    isHeard && first ? { way: 'encode', index: first.index, codec: 'aac', bits: params.audioBits } : { way: 'none' };
  const wanted = need ?? guessedNeed(params, fps, params.crf);
  const size = Math.round(((Math.min(wanted, params.averageBits) + overhead) * seconds) / 8);
  return {
    way: 'encode',
    container: 'mp4',
    params,
    sound,
    bytesBind,
    reasons,
    losses: lossesOf(request, sound, seconds),
    after: {
      ...{ size, width, height, fps: Math.round(fps * 100) / 100 },
      ...{ seconds: sound.way === 'none' ? seconds : wholeSeconds, hasAudio: sound.way !== 'none' },
    },
  };
};

/** Whether the service accepts the file unchanged and the choice does not require a conversion. */
export const isSuitable = (metadata: VideoMetadata, limits: FitLimits, choice: FitChoice): boolean =>
  metadata.service !== null && reasonsOf({ metadata, limits, choice, need: null, ways: 'any' }).length === 0;

export const planVideo = (request: PlanRequest): Plan => {
  const reasons = reasonsOf(request);
  if (reasons.length === 0) return { way: 'pass' };
  const isFullLength = !Number.isFinite(STYLES[request.choice].seconds);
  if (isFullLength && durationOf(request) > request.limits.video.maxSeconds) return refuseTooLong(request);
  return planCopy(request, reasons) ?? planEncode(request, reasons);
};
