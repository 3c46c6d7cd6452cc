/**
 * Schemas of screen recordings: what to record, the state of a recording, and the range of it that is published.
 * Lengths are physical pixels; times are milliseconds unless the name says seconds.
 */
import Type, { type Static } from 'typebox';
import { RecordingId } from '../../api/ids.ts';
import { literals, Nullable } from '../../api/nullable-and-literals.ts';
import { Area, CaptureTarget } from './capture.ts';

/** The audio of a recording; a platform may offer fewer sources (`recording.sounds`). */
export const AUDIO_SOURCES = ['none', 'system', 'microphone', 'both'] as const;
export const AudioSource = literals(...AUDIO_SOURCES);
export type AudioSource = Static<typeof AudioSource>;

/** Code units. */
export const CAMERA_NAME_MAX = 100;
/** One of `recording.cameras`. */
export const CameraName = Type.String({ minLength: 1, maxLength: CAMERA_NAME_MAX });

/** Of the video. */
export const CAMERA_CORNERS = ['bottom-left', 'bottom-right', 'top-left', 'top-right'] as const;
export const CameraCorner = literals(...CAMERA_CORNERS);
export type CameraCorner = Static<typeof CameraCorner>;

const CameraChoice = Type.Object({
  /** Or a part of its name; null: the first camera. */
  name: Nullable(CameraName),
  corner: CameraCorner,
});
export type CameraChoice = Static<typeof CameraChoice>;

export const RecordingRequest = Type.Object({
  target: CaptureTarget,
  sound: AudioSource,
  pointer: literals('hide', 'show'),
  countdownSeconds: Type.Integer({ minimum: 0, maximum: 10 }),
  /** Mark each press of a mouse button on the screen; absent: no. */
  clicks: Type.Optional(literals('hide', 'show')),
  /** Show shortcuts and special keys, never typed characters; absent: no. */
  keys: Type.Optional(literals('hide', 'show')),
  /** Show a camera in a round bubble; absent: no. */
  camera: Type.Optional(CameraChoice),
  /** What follows its end: `review` waits for the user; absent: according to the settings. */
  after: Type.Optional(Type.Literal('review')),
});
export type RecordingRequest = Static<typeof RecordingRequest>;

/** Milliseconds since 1970-01-01 UTC. */
const Instant = Type.Integer({ minimum: 0 });
const Milliseconds = Type.Integer({ minimum: 0 });
const Bytes = Type.Integer({ minimum: 0 });

/** Limits of the account, at which a recording ends; null: none. */
const Bounds = Type.Object({ milliseconds: Nullable(Milliseconds), bytes: Nullable(Bytes) });

const Running = {
  id: RecordingId,
  area: Area,
  sound: AudioSource,
  /** Recorded before the current segment. */
  recordedMs: Milliseconds,
  bytes: Bytes,
  bounds: Bounds,
} as const;

/**
 * The active recording; there is at most one. Its id is the same in all states. From `recording` on a crash loses at
 * most the last three seconds.
 */
export const Recording = Type.Union([
  Type.Object({ state: Type.Literal('countdown'), id: RecordingId, area: Area, startsAt: Instant }),
  /** `since`: start of the current segment. */
  Type.Object({ state: Type.Literal('recording'), ...Running, since: Instant }),
  Type.Object({ state: Type.Literal('paused'), ...Running }),
  /** The segments are being concatenated. */
  Type.Object({ state: Type.Literal('finishing'), id: RecordingId }),
  /** A complete MP4 that waits for the user: publish, trim or discard. */
  Type.Object({
    state: Type.Literal('review'),
    id: RecordingId,
    name: Type.String(),
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    durationMs: Milliseconds,
    bytes: Bytes,
    hasSound: Type.Boolean(),
    /** Where a trim needs no encoding, from 0 on, ascending. */
    keyFramesMs: Type.Array(Milliseconds),
    /** Recovered after a crash or a power cut. */
    isRecovered: Type.Boolean(),
  }),
]);
export type Recording = Static<typeof Recording>;
export type RecordingIn<S extends Recording['state']> = Extract<Recording, { state: S }>;

/** The part of a recording to publish. `loop`: a short silent clip that pages repeat. */
export const TrimRange = Type.Object({
  startMs: Milliseconds,
  /** Null: to its end. */
  endMs: Nullable(Milliseconds),
  form: literals('video', 'loop'),
});
export type TrimRange = Static<typeof TrimRange>;
