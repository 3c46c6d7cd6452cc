/** Schemas of animated images made from a video or a recording: how one is made, and what came out. */
import Type, { type Static } from 'typebox';
import { literals, Nullable } from '../../api/nullable-and-literals.ts';

export const ANIMATION_FORMATS = ['webp', 'gif'] as const;
export const AnimationFormat = literals(...ANIMATION_FORMATS);
export type AnimationFormat = Static<typeof AnimationFormat>;

/** More than this is a video. */
export const ANIMATION_FRAMES_MAX = 1_800;
/** Of so many milliseconds; at least one. */
export const animationFrames = (milliseconds: number, fps: number): number =>
  Math.max(1, Math.round((milliseconds / 1_000) * fps));
export const ANIMATION_FPS_MAX = 30;
export const ANIMATION_WIDTH = { min: 16, max: 3_840 } as const;
export const ANIMATION_PLAYS_MAX = 1_000;

const Milliseconds = Type.Integer({ minimum: 0 });

export const AnimationOptions = Type.Object({
  format: AnimationFormat,
  /** Frames per second. */
  fps: Type.Integer({ minimum: 1, maximum: ANIMATION_FPS_MAX }),
  /** Pixels; the height follows, and nothing is enlarged. Null: as the video. */
  width: Nullable(Type.Integer({ minimum: ANIMATION_WIDTH.min, maximum: ANIMATION_WIDTH.max })),
  startMs: Milliseconds,
  /** Null: to the end. */
  endMs: Nullable(Milliseconds),
  /** How often it plays; 0: for ever. */
  plays: Type.Integer({ minimum: 0, maximum: ANIMATION_PLAYS_MAX }),
});
export type AnimationOptions = Static<typeof AnimationOptions>;

export const MadeAnimation = Type.Object({
  format: AnimationFormat,
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  frames: Type.Integer({ minimum: 1 }),
  bytes: Type.Integer({ minimum: 1 }),
});
export type MadeAnimation = Static<typeof MadeAnimation>;
