/**
 * Chooses the encoder parameters of a converted video by the quality that the user chose: size, frame rate, quality and
 * bitrates that keep the result within the account's limits. Pure. Rationale: docs/benchmarks.md, "Video".
 */

import { bitrateCeiling, type VideoLimits } from '../../api/account.ts';
import type { FitChoice } from '../../ipc/protocol/queue-item.ts';
import { type Rate, rateOf, rateValue } from './frame-rate.ts';
import { shownSize, type VideoMetadata } from './video-metadata.ts';

/** The limits of the account. */
export interface FitLimits {
  readonly video: VideoLimits;
  /** Bytes of the file. */
  readonly maxBytes: number;
}

export interface VideoEncoderParams {
  /** Displayed pixels; even. */
  readonly width: number;
  readonly height: number;
  readonly rate: Rate;
  /** Length of the video stream; for `hold` of it the last frame is repeated. */
  readonly seconds: number;
  readonly hold: number;
  /** Until the sound ends, where that is later; else `seconds`. */
  readonly wholeSeconds: number;
  readonly crf: number;
  readonly preset: string;
  /** Two passes reach `averageBits`; one pass targets `crf` and stays below `maxBits`. */
  readonly passes: 1 | 2;
  /** Bits per second of the video that the limits allow on average. */
  readonly averageBits: number;
  /** Maximum rate over `bufferBits`; null where only the average is limited. */
  readonly buffer: { readonly maxBits: number; readonly bufferBits: number } | null;
  /** Bits per second; 0 is no audio. */
  readonly audioBits: number;
  /** Frames between two key frames. */
  readonly keyFrames: number;
}

interface Style {
  readonly crf: number;
  readonly preset: string;
  readonly longSide: number;
  readonly fps: number;
  readonly seconds: number;
  readonly sound: 'kept' | 'dropped';
}

const { POSITIVE_INFINITY: ANY } = Number;

/**
 * `veryfast` is the best trade-off: `superfast` needs up to twice the bytes, `medium` three times the work for the same
 * quality.
 */
export const STYLES: Readonly<Record<FitChoice, Style>> = {
  smaller: { crf: 28, preset: 'veryfast', longSide: 1_920, fps: 30, seconds: ANY, sound: 'kept' },
  balanced: { crf: 23, preset: 'veryfast', longSide: ANY, fps: ANY, seconds: ANY, sound: 'kept' },
  sharper: { crf: 18, preset: 'fast', longSide: ANY, fps: ANY, seconds: ANY, sound: 'kept' },
  clip: { crf: 26, preset: 'veryfast', longSide: 640, fps: 15, seconds: 15, sound: 'dropped' },
};

export const KEY_FRAME_SECONDS = 4;
/** Results may end a frame or an audio packet after the last frame. */
const END_MARGIN_SECONDS = 0.1;
/**
 * Videos shorter than this are extended to a second: otherwise their headers alone would exceed the average bitrate.
 */
const GLIMPSE_SECONDS = 0.5;
const HELD_SECONDS = 1;

/** Share of the limits to aim for; the rest covers the encoder's inaccuracy. */
export const AIM = 0.985;
const AUDIO_BITS = [128_000, 96_000, 64_000, 48_000, 32_000, 24_000];
export const AUDIO_SHARE = 0.2;
export const AUDIO_OVERSHOOT = 1.06;
export const AUDIO_PACKETS = 48_000 / 1_024;
/** MP4 overhead per packet and per file. */
export const PACKET_BITS = 20 * 8;
export const FILE_BITS = 4_000 * 8;
/** Lower bitrates are unusable. */
const LEAST_BITS = 12_000;
export const LEAST_SIDE = 16;

/** Below this share of the needed bits, fewer pixels look better than lower quality. */
const STARVED_SHARE = 1 / 3;
/** The needed bits fall more slowly than the number of pixels. */
const NEED_EXPONENT = 0.75;
const HEIGHTS = [1_440, 1_080, 900, 720, 540, 480, 360, 270, 180, 144];
/** Share of the available bits that a measured quality aims for, and the CRF increase that halves the bits. */
const PREDICTION_SHARE = 0.85;
const CRF_PER_HALF = 6;
const CRF_MAX = 45;
/** On longer videos two passes miss their average by less than the margin. */
const STEADY_SECONDS = 20;

const even = (value: number): number => Math.max(2, Math.floor(value / 2 + 1e-9) * 2);

interface Size {
  readonly width: number;
  readonly height: number;
}

const scaled = ({ width, height }: Size, by: number): Size => ({ width: even(width * by), height: even(height * by) });

const fullSize = (metadata: VideoMetadata, { maxLongSide, maxShortSide }: VideoLimits, { longSide }: Style): Size => {
  const shown = shownSize(metadata);
  const [long, short] = [Math.max(shown.width, shown.height), Math.min(shown.width, shown.height)];
  return scaled(shown, Math.min(1, Math.min(maxLongSide, longSide) / long, maxShortSide / short));
};

interface Lengths {
  readonly seconds: number;
  readonly wholeSeconds: number;
}

/** The bit budget of the limits for this size: for the video, and for audio and container. Per second of the video. */
const budgetOf = (size: Size, fps: number, lengths: Lengths, limits: FitLimits, sound: Style['sound']) => {
  const { seconds, wholeSeconds } = lengths;
  const ceiling = bitrateCeiling(limits.video, { ...size, fps });
  const byBytes = (limits.maxBytes * 8) / seconds;
  // Sound after the last picture takes of the bytes only: its seconds have a bitrate of their own.
  const outlasting = wholeSeconds / seconds;
  const packets = PACKET_BITS * AUDIO_PACKETS;
  const most = (bits: number): number => bits * AUDIO_OVERSHOOT + packets;
  const isShare = (bits: number): boolean =>
    bits <= AUDIO_SHARE * Math.min(AIM * ceiling, AIM * byBytes - most(bits) * (outlasting - 1));
  const audioBits = sound === 'kept' ? (AUDIO_BITS.find(isShare) ?? 0) : 0;
  const audio = audioBits > 0 ? most(audioBits) : 0;
  const container = PACKET_BITS * fps + FILE_BITS / seconds;
  const [byRate, bySize] = [AIM * ceiling - audio, AIM * byBytes - audio * outlasting];
  return {
    audioBits,
    pictures: Math.min(byRate, bySize) - container,
    /** Bits of everything except the video. */
    besides: (audioBits > 0 ? (audioBits + packets) * outlasting : 0) + container,
    bytesBind: bySize < byRate,
  };
};

/** The largest size of the ladder with enough bits per pixel. */
const affordableSize = (size: Size, need: number, pictures: number): Size => {
  const share = pictures / need;
  if (share >= STARVED_SHARE) return size;
  const pixels = (share / STARVED_SHARE) ** (1 / NEED_EXPONENT);
  const short = Math.min(size.width, size.height);
  const wanted = short * Math.sqrt(pixels);
  const step = HEIGHTS.find((height) => height < short && height <= wanted * 1.1);
  return scaled(size, (step ?? wanted) / short);
};

/** Estimate without a measurement: bits per second at this CRF, between screen and camera content. */
export const guessedNeed = (size: Size, fps: number, crf: number): number =>
  0.05 * 2 ** ((23 - crf) / 6) * size.width * size.height * 30 * Math.sqrt(Math.max(fps, 1) / 30);

/** Length of the rate buffer in seconds: short clips must not start with a full one. */
const bufferSeconds = (seconds: number): number => Math.min(6, Math.max(1, seconds / 16));

export interface PlannedParams {
  readonly params: VideoEncoderParams;
  /** Whether the byte limit, not the bitrate limit, restricts the video. */
  readonly bytesBind: boolean;
  /** Bits of audio and container per second of the video. */
  readonly overhead: number;
}

/**
 * `need`: measured bits per second of the video at the style's CRF and full size; null where not measured.
 * `crfPerHalf`: the CRF increase that halves the bits. Null: no video fits into these limits.
 */
export const planEncoderParams = (
  metadata: VideoMetadata,
  limits: FitLimits,
  choice: FitChoice,
  need: number | null,
  crfPerHalf: number = CRF_PER_HALF,
): PlannedParams | null => {
  const style = STYLES[choice];
  const longest = limits.video.maxSeconds - END_MARGIN_SECONDS;
  const length = Math.min(metadata.seconds, style.seconds, longest);
  const hold = length < GLIMPSE_SECONDS ? Math.max(0, Math.min(HELD_SECONDS, longest) - length) : 0;
  const seconds = length + hold;
  const full = fullSize(metadata, limits.video, style);
  if (!(seconds > 0) || Math.max(full.width, full.height) < LEAST_SIDE) return null;
  const sound = metadata.sounds.length > 0 && limits.video.maxAudioStreams > 0 ? style.sound : 'dropped';
  // A video that is cut ends with its pictures.
  const isWhole = sound === 'kept' && length === metadata.seconds;
  const wholeSeconds = Math.max(seconds, isWhole ? Math.min(metadata.wholeSeconds, longest) : 0);
  const lengths = { seconds, wholeSeconds };
  const rate = rateOf(metadata, Math.min(limits.video.maxFps, style.fps));
  const fps = rateValue(rate);
  const fits = ({ width, height }: Size): boolean =>
    Math.max(width, height) <= limits.video.maxLongSide && Math.min(width, height) <= limits.video.maxShortSide;
  if (!fits(full) || fps > limits.video.maxFps) return null;

  const first = budgetOf(full, fps, lengths, limits, sound);
  if (first.pictures < LEAST_BITS) return null;
  // The estimate may be four times too high for screen content, so it must not reduce the size.
  const wanted = need ?? guessedNeed(full, fps, style.crf) / 4;
  const size = first.bytesBind ? affordableSize(full, wanted, first.pictures) : full;
  const budget = size === full ? first : budgetOf(size, fps, lengths, limits, sound);
  if (budget.pictures < LEAST_BITS) return null;

  const pixels = (size.width * size.height) / (full.width * full.height);
  const excess = (wanted * pixels ** NEED_EXPONENT) / (budget.pictures * PREDICTION_SHARE);
  // One pass at a predicted quality is faster and looks better than two passes at a bitrate; without a measurement two
  // are used.
  const passes = budget.bytesBind && need === null ? 2 : 1;
  const crfIncrease = budget.bytesBind && passes === 1 ? Math.max(0, crfPerHalf * Math.log2(excess)) : 0;
  const bufferLength = budget.bytesBind ? Math.min(10, seconds / 4) : bufferSeconds(seconds);
  const maxBits = Math.floor(budget.pictures / (1 + bufferLength / seconds));
  const isSteady = passes === 2 && seconds >= STEADY_SECONDS;
  return {
    params: {
      ...size,
      ...{ rate, seconds, hold, wholeSeconds, passes },
      ...{ crf: Math.min(CRF_MAX, Math.round((style.crf + crfIncrease) * 10) / 10), preset: style.preset },
      averageBits: Math.floor(isSteady ? budget.pictures : maxBits),
      buffer: isSteady ? null : { maxBits, bufferBits: Math.floor(maxBits * bufferLength) },
      audioBits: budget.audioBits,
      keyFrames: Math.max(1, Math.round(fps * KEY_FRAME_SECONDS)),
    },
    bytesBind: budget.bytesBind,
    overhead: budget.besides,
  };
};
