/**
 * Plans a recording: the area of the screen, the encoder parameters, and the duration and size at which the recording
 * ends, so that a recording of two seconds or more fits the account's limits without a second encode. Also tells
 * whether an encode is heavy for this computer, and has the service's default limits, for use without those of an
 * account. Rationale: docs/benchmarks.md, "Video".
 */
import { cpus } from 'node:os';
import Type, { type Static } from 'typebox';
import { bitrateCeiling } from '../../api/account.ts';
import { err, failure, ok, type Result } from '../../api/errors.ts';
import { LIMITS } from '../../api/limits.ts';
import type { Area } from '../../ipc/protocol/capture.ts';
import type { AudioSource } from '../../ipc/protocol/recording.ts';
import {
  AIM,
  AUDIO_OVERSHOOT,
  AUDIO_PACKETS,
  AUDIO_SHARE,
  FILE_BITS,
  type FitLimits,
  LEAST_SIDE,
  PACKET_BITS,
} from '../video/encoder-params.ts';

/** Encoder parameters of a recording, also used to trim it later. */
export const EncoderParams = Type.Object({
  /** Pixels of the video; even. */
  width: Type.Integer({ minimum: 2 }),
  height: Type.Integer({ minimum: 2 }),
  fps: Type.Integer({ minimum: 1 }),
  crf: Type.Integer(),
  preset: Type.String(),
  /** Maximum bits per second of the video over `bufferBits`. */
  maxBits: Type.Integer(),
  bufferBits: Type.Integer(),
  /** Frames between two key frames. */
  keyFrames: Type.Integer({ minimum: 1 }),
  /** Bits per second; 0 is no audio. */
  audioBits: Type.Integer({ minimum: 0 }),
});
export type EncoderParams = Static<typeof EncoderParams>;

/** Limits that end a recording. */
interface RecordingBounds {
  readonly milliseconds: number;
  readonly bytes: number;
}

export interface RecordingPlan {
  /** Area of the screen; its sides are even, so at most a pixel smaller than requested. */
  readonly area: Area;
  readonly params: EncoderParams;
  readonly bounds: RecordingBounds;
}

const FPS_MAX = 30;
const CRF = 23;
/** A key frame of a full screen is as large as seconds of ordinary changes. */
const KEY_FRAME_SECONDS = 2;
/** Keeps the average over `SHORTEST_SECONDS` or more below the limit; shorter recordings re-encode quickly. */
const BUFFER_SECONDS = 0.5;
const SHORTEST_SECONDS = 2;
const AUDIO_BITS = [128_000, 96_000, 64_000, 48_000];
/** Margin on the length: stopping takes a moment. */
const END_MARGIN_MS = 500;
/** Seconds of video that may still be in the encoder when bytes are counted, and the usable share of the size limit. */
const IN_FLIGHT_SECONDS = 2;
const BYTES_SHARE = 0.97;
/** Pixels per second that one core encodes with `veryfast` while the screen is in use. */
const PIXELS_PER_CORE = 40e6;

/** The service's default limits, for use before an account is known. */
export const USUAL_LIMITS: FitLimits = {
  maxBytes: LIMITS.freeVideoBytes,
  video: {
    formats: [],
    maxLongSide: 3_840,
    maxShortSide: 2_160,
    maxFps: 60,
    maxSeconds: 3_600,
    maxAudioStreams: 1,
    bitrate: { bitsPerPixel: 0.1, fpsCap: 60, min: 1_000_000, max: 40_000_000 },
  },
};

const even = (value: number): number => Math.floor(value / 2) * 2;

/** Odd sides lose a pixel; scales down only where the area exceeds the video limits. */
const sizeOf = ({ width, height }: Area, { video }: FitLimits) => {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  const by = Math.min(1, video.maxLongSide / long, video.maxShortSide / short);
  return by === 1 ? { width, height } : { width: even(width * by), height: even(height * by) };
};

/**
 * Whether the encode is heavy for this computer: more pixels per second than its cores can handle alongside other work.
 */
export const isHeavy = ({ width, height, fps }: EncoderParams, cores: number = cpus().length): boolean =>
  width * height * fps > PIXELS_PER_CORE * cores;

/** Errors: CAPTURE_AREA_INVALID where the area is too small for a video. */
export const planRecording = (
  requested: Area,
  limits: FitLimits,
  sound: AudioSource,
  cores?: number,
): Result<RecordingPlan> => {
  const area = { ...requested, width: even(requested.width), height: even(requested.height) };
  if (Math.min(area.width, area.height) < LEAST_SIDE) {
    const minimum = `at least ${LEAST_SIDE} x ${LEAST_SIDE} pixels`;
    return err(failure('CAPTURE_AREA_INVALID', `A recording needs ${minimum}. Choose a larger area.`));
  }
  const { video, maxBytes } = limits;
  const size = sizeOf(area, limits);
  const fps = Math.max(1, Math.floor(Math.min(FPS_MAX, video.maxFps)));
  const all = AIM * bitrateCeiling(video, { ...size, fps });
  const isHeard = sound !== 'none' && video.maxAudioStreams > 0;
  const audioBits = isHeard ? (AUDIO_BITS.find((bits) => bits <= all * AUDIO_SHARE) ?? 32_000) : 0;
  const container = PACKET_BITS * (fps + (isHeard ? AUDIO_PACKETS : 0)) + FILE_BITS / SHORTEST_SECONDS;
  const pictures = all - audioBits * AUDIO_OVERSHOOT - container;
  const maxBits = Math.floor(pictures / (1 + BUFFER_SECONDS / SHORTEST_SECONDS));
  const params: EncoderParams = {
    ...size,
    ...{ fps, crf: CRF, preset: 'veryfast', maxBits, bufferBits: Math.floor(maxBits * BUFFER_SECONDS), audioBits },
    keyFrames: Math.max(1, fps * KEY_FRAME_SECONDS),
  };
  const inFlight = (IN_FLIGHT_SECONDS * all) / 8;
  return ok({
    area,
    params: isHeavy(params, cores) ? { ...params, preset: 'superfast' } : params,
    bounds: {
      milliseconds: Math.max(1_000, video.maxSeconds * 1_000 - END_MARGIN_MS),
      bytes: Math.max(Math.floor(maxBytes / 4), Math.floor(maxBytes * BYTES_SHARE - inFlight)),
    },
  });
};
