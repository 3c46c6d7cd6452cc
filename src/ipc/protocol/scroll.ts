/** Schemas of scrolling captures: the direction, how far one is, and how one ended. */
import Type, { type Static } from 'typebox';
import { literals, Nullable } from '../../api/nullable-and-literals.ts';

export const ScrollDirection = literals('down', 'right');
export type ScrollDirection = Static<typeof ScrollDirection>;

const UncertainReason = literals('nothing-matches', 'several-match', 'gap', 'resized');

export const ScrollOutcome = Type.Object({
  /** `end`: nothing moved any more; `full`: as large as the service takes; `uncertain`: the rest could not be joined. */
  ended: literals('end', 'full', 'uncertain'),
  /** Why it is uncertain. */
  reason: Nullable(UncertainReason),
  /** Pixels in the direction of scrolling that are certain. */
  length: Type.Integer({ minimum: 1 }),
  /** False: a part was joined by similarity or by the distance scrolled, because no or several positions were equal. */
  isExact: Type.Boolean(),
});
export type ScrollOutcome = Static<typeof ScrollOutcome>;

/** Width of the preview that the host serves, in pixels; its height follows from its bytes, RGBA of 8 bits. */
export const SCROLL_PREVIEW_WIDTH = 320;
export const SCROLL_PREVIEW_ROWS_MAX = 480;

/** A scrolling capture while it is taken. */
export const ScrollProgress = Type.Object({
  /**
   * `app`: the app scrolls; `user`: the user scrolls and the app joins; `ended`: nothing is added until the user
   * decides; `saving`: it was stopped, and the picture is written.
   */
  by: literals('app', 'user', 'ended', 'saving'),
  /** Pixels of the picture so far; 0: nothing was seen yet. */
  width: Type.Integer({ minimum: 0 }),
  length: Type.Integer({ minimum: 0 }),
  canUndo: Type.Boolean(),
  /** As in `ScrollOutcome`. */
  isExact: Type.Boolean(),
  /** Why what is shown now is not added. */
  note: Nullable(Type.Union([UncertainReason, Type.Literal('full')])),
  /** Changes with the preview. */
  revision: Type.Integer({ minimum: 0 }),
});
export type ScrollProgress = Static<typeof ScrollProgress>;
