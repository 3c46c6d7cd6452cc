/**
 * Plans how a video is fitted: sent unchanged, remuxed, audio encoded, fully encoded, or refused with an explanation.
 * Results of a plan are within the limits. Pure.
 */

import { bitrateCeiling, type VideoFormat } from '../../api/account.ts';
import { type Failure, failure } from '../../api/errors.ts';
import { describeVideoLimits, validateVideo } from '../../common/video/validate-video.ts';
import type { FitLoss, FitReason, VideoSummary } from '../../ipc/protocol/fit.ts';
import type { FitChoice } from '../../ipc/protocol/queue-item.ts';
import { type EncodeNumbers, encodeNumbers, type FitLimits, guessedNeed, STYLES } from './encoder-params.ts';
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
      readonly numbers: EncodeNumbers;
      readonly sound: SoundPlan;
      /** The byte limit restricts the video, so that measuring it first is worth the time. */
      readonly bytesBind: boolean;
    } & Why)
  | { readonly way: 'refuse'; readonly failure: Failure };

export interface PlanRequest {
  readonly facts: VideoMetadata;
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

const whole = ({ facts }: PlanRequest): number => Math.max(facts.seconds, facts.service?.seconds ?? 0);

export const summaryOf = (facts: VideoMetadata): VideoSummary => {
  const { width, height } = shownSize(facts);
  return {
    size: facts.size,
    width: Math.max(1, Math.round(width)),
    height: Math.max(1, Math.round(height)),
    fps: Math.round(facts.fps * 100) / 100,
    seconds: facts.seconds,
    hasAudio: facts.sounds.length > 0,
  };
};

const reasonsOf = ({ facts, limits, choice }: PlanRequest): readonly FitReason[] => {
  const reasons: FitReason[] = facts.service ? validateVideo(facts.service, limits.video).map(({ code }) => code) : [];
  if (facts.isCut) reasons.push('DAMAGED');
  else if (facts.service === null) reasons.push(facts.container === 'other' ? 'CONTAINER' : 'UNREADABLE');
  if (facts.size > limits.maxBytes) reasons.push('SIZE');
  if (facts.hasLocation) reasons.push('PLACE');
  if (facts.dynamicRange === 'high') reasons.push('DYNAMIC_RANGE');
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

const lossesOf = ({ facts }: PlanRequest, sound: SoundPlan, seconds: number): readonly FitLoss[] => [
  ...(facts.sounds.length > 0 && sound.way === 'none' ? (['sound'] as const) : []),
  ...(facts.sounds.length > 1 && sound.way !== 'none' ? (['sound-tracks'] as const) : []),
  ...(facts.extras > 0 ? (['extras'] as const) : []),
  ...(facts.dynamicRange === 'high' ? (['dynamic-range'] as const) : []),
  ...(facts.isCut ? (['end'] as const) : []),
  ...(facts.seconds - seconds > 0.5 ? (['rest'] as const) : []),
];

/** Copies streams that already fit. */
const planCopy = (request: PlanRequest, reasons: readonly FitReason[]): Plan | null => {
  const { facts, limits, choice, ways } = request;
  if (ways === 'encode' || choice === 'smaller' || choice === 'clip') return null;
  if (facts.isCut || facts.dynamicRange === 'high' || facts.pixelAspect <= 0) return null;
  const { video } = limits;
  const format = video.formats.find(
    ({ videoCodecs, pixelFormats }) => videoCodecs.includes(facts.codec) && pixelFormats.includes(facts.pixelFormat),
  );
  if (!format) return null;
  const [long, short] = [Math.max(facts.width, facts.height), Math.min(facts.width, facts.height)];
  if (long > video.maxLongSide || short > video.maxShortSide || facts.fps > video.maxFps) return null;
  if (whole(request) > video.maxSeconds) return null;

  const sound = soundFor(video.maxAudioStreams > 0 ? facts.sounds[0] : undefined, format, COPY_AUDIO_BITS);
  const total = (facts.size * 8) / facts.seconds;
  // Copied audio may have any rate up to what is not video.
  const audioBits = sound.way === 'encode' ? sound.bits * 1.1 : sound.way === 'copy' ? total - facts.pictureBitrate : 0;
  const bits = Math.max(0, audioBits) + facts.pictureBitrate + 20 * 8 * (facts.fps + 50) + (4_000 * 8) / facts.seconds;
  const ceiling = bitrateCeiling(video, facts);
  const size = Math.round((bits * facts.seconds) / 8);
  if (bits > ceiling * COPY_MARGIN || size > limits.maxBytes * COPY_MARGIN) return null;
  return {
    way: sound.way === 'encode' ? 'audio' : 'remux',
    container: format.container,
    sound,
    reasons,
    losses: lossesOf(request, sound, facts.seconds),
    after: { ...summaryOf(facts), size, hasAudio: sound.way !== 'none' },
  };
};

const refuseTooLong = (request: PlanRequest): Plan => {
  const { maxSeconds } = request.limits.video;
  const seconds = Math.round(whole(request));
  const message = `The video lasts ${seconds} seconds; at most ${maxSeconds} seconds.`;
  return {
    way: 'refuse',
    failure: failure('VIDEO_NOT_SUITABLE', `${message} Cut it, or share its start as a clip.`, {
      params: { problems: [{ code: 'DURATION', actual: seconds, allowed: maxSeconds, message }] },
    }),
  };
};

const planEncode = (request: PlanRequest, reasons: readonly FitReason[]): Plan => {
  const { facts, limits, choice, need, crfPerHalf } = request;
  const format = limits.video.formats.find(
    ({ container, videoCodecs, pixelFormats }) =>
      container === 'mp4' && videoCodecs.includes('h264') && pixelFormats.includes('yuv420p'),
  );
  if (!format) {
    const detail = `The service takes only ${describeVideoLimits(limits.video)}, which Linkshot cannot make of this video.`;
    return { way: 'refuse', failure: failure('VIDEO_NOT_SUITABLE', detail, { params: { problems: [detail] } }) };
  }
  const found = encodeNumbers(facts, limits, choice, need, crfPerHalf);
  if (!found) {
    const detail = 'The video is too long for the size that the account allows. Cut it, or share its start as a clip.';
    return { way: 'refuse', failure: failure('VIDEO_TOO_LARGE', detail, { params: { limitBytes: limits.maxBytes } }) };
  }
  const { numbers, bytesBind, besides } = found;
  const { width, height, seconds } = numbers;
  const fps = rateValue(numbers.rate);
  const isHeard = numbers.audioBits > 0 && format.audioCodecs.includes('aac');
  const [first] = facts.sounds;
  const sound: SoundPlan =
    isHeard && first ? { way: 'encode', index: first.index, codec: 'aac', bits: numbers.audioBits } : { way: 'none' };
  const wanted = need ?? guessedNeed(numbers, fps, numbers.crf);
  const size = Math.round(((Math.min(wanted, numbers.averageBits) + besides) * seconds) / 8);
  return {
    way: 'encode',
    container: 'mp4',
    numbers,
    sound,
    bytesBind,
    reasons,
    losses: lossesOf(request, sound, seconds),
    after: { size, width, height, fps: Math.round(fps * 100) / 100, seconds, hasAudio: sound.way !== 'none' },
  };
};

/** Whether the service accepts the file unchanged and the choice does not require a conversion. */
export const isSuitable = (facts: VideoMetadata, limits: FitLimits, choice: FitChoice): boolean =>
  facts.service !== null && reasonsOf({ facts, limits, choice, need: null, ways: 'any' }).length === 0;

export const planVideo = (request: PlanRequest): Plan => {
  const reasons = reasonsOf(request);
  if (reasons.length === 0) return { way: 'pass' };
  const isWhole = !Number.isFinite(STYLES[request.choice].seconds);
  if (isWhole && whole(request) > request.limits.video.maxSeconds) return refuseTooLong(request);
  return planCopy(request, reasons) ?? planEncode(request, reasons);
};
