/**
 * Schemas of how a video is converted before the upload, mostly to fit the account's limits (`limits.video`): the
 * reasons, what is lost, the preview that the user sees in advance, and the result that is kept with the item. Sizes in
 * bytes, width and height in pixels as displayed, durations in seconds.
 */
import Type, { type Static } from 'typebox';
import { Failure } from '../../api/errors.ts';
import { literals, Nullable } from '../../api/nullable-and-literals.ts';

export const VideoSummary = Type.Object({
  size: Type.Integer({ minimum: 0 }),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  fps: Type.Number({ minimum: 0 }),
  seconds: Type.Number({ minimum: 0 }),
  hasAudio: Type.Boolean(),
});
export type VideoSummary = Static<typeof VideoSummary>;

/**
 * Why a video is not sent unchanged: violations of `limits.video` by their codes (VIDEO_NOT_SUITABLE), and SIZE (over
 * the account's limit), PLACE (contains a location), DAMAGED (its end is missing or cannot be read), UNREADABLE (the
 * service cannot read such a file), DYNAMIC_RANGE (HDR), CHOICE (the user asked for it).
 */
export const FitReason = literals(
  ...(['CONTAINER', 'VIDEO_CODEC', 'PIXEL_FORMAT', 'LONG_SIDE', 'SHORT_SIDE', 'FPS', 'DURATION'] as const),
  ...(['AUDIO_STREAMS', 'AUDIO_CODEC', 'BITRATE'] as const),
  ...(['SIZE', 'PLACE', 'DAMAGED', 'UNREADABLE', 'DYNAMIC_RANGE', 'CHOICE'] as const),
);
export type FitReason = Static<typeof FitReason>;

/** What is lost: all sound, further sound tracks, subtitles and data, HDR, the damaged end, all but the start. */
export const FitLoss = literals('sound', 'sound-tracks', 'extras', 'dynamic-range', 'end', 'rest');
export type FitLoss = Static<typeof FitLoss>;

/** remux: into another container, bit for bit. audio: only the sound is encoded. encode: the pictures too. */
const FitWay = literals('remux', 'audio', 'encode');

/** `after` is an estimate here. */
export const FitPreview = Type.Union([
  Type.Object({ way: Type.Literal('pass'), before: VideoSummary }),
  Type.Object({
    way: FitWay,
    before: VideoSummary,
    after: VideoSummary,
    /** Estimated duration on this computer. */
    secondsNeeded: Type.Number({ minimum: 0 }),
    reasons: Type.Array(FitReason),
    losses: Type.Array(FitLoss),
  }),
  Type.Object({ way: Type.Literal('refuse'), before: Nullable(VideoSummary), failure: Failure }),
]);
export type FitPreview = Static<typeof FitPreview>;

/** The result of converting a video. */
export const MadeVideo = Type.Object({
  kind: Type.Literal('video'),
  way: FitWay,
  before: VideoSummary,
  after: VideoSummary,
  reasons: Type.Array(FitReason),
  losses: Type.Array(FitLoss),
});
export type MadeVideo = Static<typeof MadeVideo>;
